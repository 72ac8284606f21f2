//! Runtimes: their releases, and the operators that they register on their own in the domains of ONNX.
//!
//! Files have such operators, and ONNX does not: a name in a domain whose operators are all known, or a version that is
//! older than the first that ONNX registers. A runtime changes its operators in place, from release to release, without a
//! new version; [`Schema::in_release`](crate::Schema::in_release) has a version as a release has it.

use core::fmt;
use core::str::FromStr;

// One row a runtime of `specs/runtimes.yaml`.
shape_macros::tables!(runtimes);

/// A runtime, and the operators that it registers on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// Its name.
    pub name: &'static str,
    /// Its releases from the first one on that was looked at, the newest last.
    pub releases: &'static [ReleaseNumber],
    /// The versions that it registers and ONNX does not.
    pub operators: &'static [RuntimeOperator],
}

/// The number of a release, such as `1.23.0`.
///
/// ```
/// use shape_core::runtime::ReleaseNumber;
/// let [ninth, tenth] = ["1.9.0", "1.10.0"].map(|text| text.parse::<ReleaseNumber>().unwrap());
/// assert!(ninth < tenth);
/// assert!("1.10".parse::<ReleaseNumber>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReleaseNumber {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
    /// The third number.
    pub patch: u16,
}

impl fmt::Display for ReleaseNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { major, minor, patch } = self;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

/// A text that is not three numbers with points between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRelease;

impl fmt::Display for NoRelease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a release is written as its three numbers: `1.23.0`")
    }
}

impl core::error::Error for NoRelease {}

impl FromStr for ReleaseNumber {
    type Err = NoRelease;

    fn from_str(text: &str) -> Result<Self, NoRelease> {
        let mut numbers = text.split('.').map(|number| number.parse().map_err(|_| NoRelease));
        let mut next = || numbers.next().unwrap_or(Err(NoRelease));
        let (major, minor, patch) = (next()?, next()?, next()?);
        if next().is_ok() { Err(NoRelease) } else { Ok(Self { major, minor, patch }) }
    }
}

/// A release of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeRelease {
    /// The name of the runtime: `onnxruntime`.
    pub runtime: &'static str,
    /// The number of the release.
    pub number: ReleaseNumber,
}

impl fmt::Display for RuntimeRelease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runtime, number } = self;
        write!(formatter, "{runtime} {number}")
    }
}

/// A version of an operator that a runtime registers and ONNX does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeOperator {
    /// The domain, `ai.onnx` for the default one.
    pub domain: &'static str,
    /// The name.
    pub name: &'static str,
    /// The first opset that has the version.
    pub since_version: u32,
    /// Whether the runtime refuses the operator from this version on.
    pub deprecated: bool,
}

impl Runtime {
    /// The version of an operator that the runtime selects for an opset on its own, if there is one that it does not
    /// refuse.
    ///
    /// ```
    /// use shape_core::runtime::runtimes;
    /// let onnxruntime = runtimes().iter().find(|runtime| runtime.name == "onnxruntime").unwrap();
    /// let version = |opset| onnxruntime.operator("ai.onnx", "Affine", opset).map(|of| of.since_version);
    /// assert_eq!((version(9), version(10)), (Some(1), None));
    /// ```
    #[must_use]
    pub fn operator(&self, domain: &str, name: &str, opset: u32) -> Option<&'static RuntimeOperator> {
        let is_older = |of: &&RuntimeOperator| of.domain == domain && of.name == name && of.since_version <= opset;
        let newest = self.operators.iter().filter(is_older).max_by_key(|of| of.since_version);
        newest.filter(|of| !of.deprecated)
    }
}

/// The release with a name: `onnxruntime@1.23.0`, or `onnxruntime` for the newest one. A device may stand behind the name of
/// the runtime, `onnxruntime-cpu@1.23.0`.
///
/// # Errors
/// There is no such runtime, or it has no such release.
///
/// ```
/// use shape_core::runtime::release;
/// assert_eq!(release("onnxruntime-cpu@1.23.0").unwrap().to_string(), "onnxruntime 1.23.0");
/// assert!(release("onnxruntime").unwrap().number > release("onnxruntime@1.23.0").unwrap().number);
/// let error = release("onnxruntime@1.23.9").unwrap_err().to_string();
/// assert!(error.starts_with("there is no release 1.23.9 of onnxruntime: the nearest is 1.23.2; all that are known:"));
/// ```
pub fn release(name: &str) -> Result<RuntimeRelease, UnknownRelease<'_>> {
    let (runtime, number) = name.split_once('@').map_or((name, None), |(runtime, number)| (runtime, Some(number)));
    let is_of = |known: &&Runtime| {
        runtime.strip_prefix(known.name).is_some_and(|device| device.is_empty() || device.starts_with('-'))
    };
    let known = runtimes().iter().find(is_of).ok_or(UnknownRelease::Runtime { runtime })?;
    let unknown = |number| UnknownRelease::Release { runtime: known, number };
    let number = match number {
        None => known.releases.last().copied().ok_or(unknown(""))?,
        Some(text) => {
            let number = text.parse().ok().filter(|number| known.releases.contains(number));
            number.ok_or(unknown(text))?
        }
    };
    Ok(RuntimeRelease { runtime: known.name, number })
}

/// A name that is none of a [`release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownRelease<'n> {
    /// There is no such runtime.
    Runtime {
        /// The name.
        runtime: &'n str,
    },
    /// The runtime has no such release, as far as is known.
    Release {
        /// The runtime.
        runtime: &'static Runtime,
        /// The text.
        number: &'n str,
    },
}

impl fmt::Display for UnknownRelease<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runtime { runtime } => {
                write!(formatter, "the releases of a runtime `{runtime}` are not known; those that are:")?;
                list(formatter, runtimes().iter().map(|known| &known.name))
            }
            Self::Release { runtime: Runtime { name, releases, .. }, number } => {
                write!(formatter, "there is no release {number} of {name}: ")?;
                let nearest = number
                    .parse()
                    .ok()
                    .and_then(|number| releases.iter().rfind(|known| **known <= number).or(releases.first()));
                if let Some(nearest) = nearest {
                    write!(formatter, "the nearest is {nearest}; ")?;
                }
                formatter.write_str("all that are known:")?;
                list(formatter, releases.iter())
            }
        }
    }
}

impl core::error::Error for UnknownRelease<'_> {}

fn list(formatter: &mut fmt::Formatter<'_>, names: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (index, name) in names.enumerate() {
        write!(formatter, "{}{name}", if index == 0 { " " } else { ", " })?;
    }
    Ok(())
}

/// All runtimes that this build knows.
#[must_use]
pub const fn runtimes() -> &'static [Runtime] {
    RUNTIMES
}
