//! Pairs of strings, which most messages contain.

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
