//! The manifest of a runtime: a small YAML file with what it supports, for comparison with what a model uses.
//!
//! ```yaml
//! runtime: acme
//! release: "2.1"
//! ir_version: 10
//! opsets: [{ domain: ai.onnx, newest: 25 }]
//! casts: [{ from: float16, to: float, since: 6 }]
//! taken_as: [{ operator: Attention, version: 25, as: 24 }]
//! operators:
//!   - { operator: Shape }
//!   - { operator: Add, versions: [7, 13, 14], types: [float, int64] }
//!   - operator: Gather
//!     types: [every_float8, float]
//!     variables: [{ name: Tind, types: [int64] }]
//!   - { operator: Mish, versions: [18], function: true, opsets: [18], types: [double] }
//!   - { operator: Gelu, domain: com.acme }
//! ```
//!
//! Fields that are left out do not limit anything. Several entries for an operator add up, like kernels that are
//! registered for it.

mod builtin;
mod compare;
mod entry;
mod limits;
mod list;
mod read;

pub use builtin::named;
pub use compare::{Change, Comparison, TypeChange, compare};
pub use entry::{Cast, Entry, Manifest, NewestOpset, TakenAs};
#[cfg(test)]
pub(crate) use limits::LimitsFile;
pub use limits::{Limit, limited, limits};
pub use list::{BUILTIN, Builtin};
#[cfg(test)]
pub(crate) use read::ManifestFile;
pub use read::read;
