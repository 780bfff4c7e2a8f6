//! Values with their places in the file.

use std::ops::Deref;

use serde::Deserialize;
use toml::Spanned;

/// A value of a [`WorldFile`](super::WorldFile), and where it stands in the file.
///
/// Errors about the value, such as [`WorldFile::error_at`](super::WorldFile::error_at), then name its line and column.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(from = "Spanned<T>", bound = "T: Deserialize<'de>")]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where the value begins, in bytes from the beginning of the text.
    pub at: usize,
}

impl<T> From<Spanned<T>> for At<T> {
    fn from(spanned: Spanned<T>) -> Self {
        Self { at: spanned.span().start, value: spanned.into_inner() }
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
