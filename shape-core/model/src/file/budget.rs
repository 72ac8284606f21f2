//! Limits the memory that decoding may take.
//!
//! Two bytes on the wire are an empty node, and an empty node takes hundreds of bytes of memory, so a small hostile
//! file could require a hundred times its own size. Growing a list and allocating a box are therefore charged to an
//! allowance that depends on the length of the file. Strings and element data are free: they are never longer than the
//! bytes that they were read from.
//!
//! The account is kept per thread, since `prost` passes no data of the caller to the code that grows a list.

use std::cell::Cell;

use bytes::Buf;
use prost::encoding::{WireType, check_wire_type};
use prost::{DecodeError, Message};

/// The maximum nesting depth of messages: the same as in `prost`.
pub(super) const LEVELS: u32 = 100;

const BASE: usize = 32 << 20;
const PER_BYTE: usize = 24;

/// Why and where decoding stopped.
#[derive(Debug)]
pub(super) struct Failure {
    /// The offset at which the decoder stopped, in bytes.
    pub(super) offset: usize,
    pub(super) reason: Reason,
}

#[derive(Debug)]
pub(super) enum Reason {
    Malformed(DecodeError),
    TooDeep,
    OverBudget { allowance: usize },
}

#[derive(Clone, Copy)]
enum Refusal {
    Levels,
    Memory,
}

#[derive(Clone, Copy)]
struct Account {
    left: usize,
    levels: u32,
    refusal: Option<Refusal>,
}

thread_local! {
    // Unlimited outside of `decode`: callers that use `prost` directly trust their input.
    static ACCOUNT: Cell<Account> =
        const { Cell::new(Account { left: usize::MAX, levels: u32::MAX, refusal: None }) };
}

/// Decodes one message that takes up all of `buf`, within an allowance of 32 MiB plus 24 bytes for each byte of `buf`.
pub(super) fn decode<M: Message + Default>(buf: &mut impl Buf) -> Result<M, Failure> {
    let allowance = buf.remaining().saturating_mul(PER_BYTE).saturating_add(BASE);
    decode_within(buf, allowance)
}

pub(super) fn decode_within<M: Message + Default>(buf: &mut impl Buf, allowance: usize) -> Result<M, Failure> {
    let before = ACCOUNT.replace(Account { left: allowance, levels: LEVELS, refusal: None });
    let len = buf.remaining();
    let decoded = M::decode(&mut *buf);
    let account = ACCOUNT.replace(before);
    decoded.map_err(|error| Failure {
        offset: len - buf.remaining(),
        reason: match account.refusal {
            None => Reason::Malformed(error),
            Some(Refusal::Levels) => Reason::TooDeep,
            Some(Refusal::Memory) => Reason::OverBudget { allowance },
        },
    })
}

/// Charges `size` bytes of memory to the allowance.
pub(super) fn spend(size: usize) -> Result<(), DecodeError> {
    let account = ACCOUNT.get();
    match account.left.checked_sub(size) {
        Some(left) => {
            ACCOUNT.set(Account { left, ..account });
            Ok(())
        }
        None => refuse(Refusal::Memory),
    }
}

/// Runs `merge` one level deeper.
pub(super) fn nested(merge: impl FnOnce() -> Result<(), DecodeError>) -> Result<(), DecodeError> {
    let account = ACCOUNT.get();
    let Some(levels) = account.levels.checked_sub(1) else {
        return refuse(Refusal::Levels);
    };
    ACCOUNT.set(Account { levels, ..account });
    let merged = merge();
    let inner = ACCOUNT.get();
    ACCOUNT.set(Account { levels: account.levels, ..inner });
    merged
}

fn refuse(refusal: Refusal) -> Result<(), DecodeError> {
    ACCOUNT.set(Account { refusal: Some(refusal), ..ACCOUNT.get() });
    // prost does not let others create its error with a custom text; `decode` replaces this one by the recorded
    // refusal.
    check_wire_type(WireType::StartGroup, WireType::EndGroup)
}
