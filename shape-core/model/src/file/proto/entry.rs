//! Pairs of texts, which most messages carry.

use super::super::wire::message;

message! {
    /// A key and its value.
    pub struct StringStringEntryProto {
        /// The key.
        pub key: String = 1,
        /// The value.
        pub value: String = 2,
    }
}
