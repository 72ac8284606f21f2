//! The number of a release of a runtime.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The number of a release, such as `1.23.0`: its major and minor number and that of the patch.
///
/// ```
/// use shape_specs::tables::ReleaseNumber;
/// let [ninth, tenth]: [ReleaseNumber; 2] = ["1.9.0", "1.10.0"].map(|text| text.parse().unwrap());
/// assert!(ninth < tenth);
/// assert_eq!(tenth.to_string(), "1.10.0");
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

impl FromStr for ReleaseNumber {
    type Err = String;

    /// # Errors
    /// The text is not three numbers with points between them.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<u16>, ParseIntError> = text.split('.').map(str::parse).collect();
        let numbers = numbers.ok().and_then(|numbers| <[u16; 3]>::try_from(numbers).ok());
        let numbers = numbers.map(|[major, minor, patch]| Self { major, minor, patch });
        // One number has one text: `01` and `+1` are none.
        numbers
            .filter(|number| number.to_string() == text)
            .ok_or_else(|| format!("`{text}` is no release: write its three numbers, as in \"1.23.0\""))
    }
}

impl<'de> Deserialize<'de> for ReleaseNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
