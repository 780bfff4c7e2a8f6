//! What can be wrong with a save.

use std::fmt;

use giveway_core::Garbled;

/// Why a save cannot be made, read or loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The bytes are no save.
    NoSave,
    /// The save is of another version of the format.
    OtherVersion {
        /// The version that this program reads.
        expected: u32,
        /// The version of the save.
        found: u32,
    },
    /// The save is not as long as it says.
    Cut {
        /// How many bytes it should have.
        expected: u64,
        /// How many bytes it has.
        found: u64,
    },
    /// The bytes have changed since they were written.
    Damaged,
    /// The saved crowd was built in another way than the crowd into which it is to be loaded.
    OtherWorld(OtherWorld),
    /// The contents of the save are impossible.
    Garbled(Garbled),
    /// The crowd cannot be saved, because the costs of a space cannot be written without loss. All costs of the types
    /// `f32` and `f64` can be written, and so can whole numbers below 2^53.
    Lossy,
    /// No save can be loaded into this crowd, because its classes cannot be copied.
    NoCopy,
}

/// The difference between the saved crowd and the crowd into which the save is to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OtherWorld {
    /// The settings differ.
    Settings,
    /// The numbers of classes differ.
    Classes {
        /// The number of classes of the saved crowd.
        expected: u64,
        /// The number of classes of the crowd.
        found: u64,
    },
    /// The numbers of nodes of a class differ.
    Nodes {
        /// The number of the class.
        class: u32,
        /// The number of nodes of the saved crowd.
        expected: u64,
        /// The number of nodes of the crowd.
        found: u64,
    },
    /// The units of a class differ: in their steps, chains or depths, or in the cells that they occupy.
    Units {
        /// The number of the class.
        class: u32,
    },
    /// The spaces of a class differ.
    Space {
        /// The number of the class.
        class: u32,
    },
    /// The space of a class was edited in another way: the edits of this crowd are not the first edits of the saved
    /// crowd.
    Edits {
        /// The number of the class.
        class: u32,
    },
}

impl fmt::Display for OtherWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings => f.write_str("the settings differ"),
            Self::Classes { expected, found } => write!(f, "the save has {expected} classes, and the crowd {found}"),
            Self::Nodes { class, expected, found } => {
                write!(f, "class {class} has {expected} nodes in the save, and {found} in the crowd")
            }
            Self::Units { class } => write!(f, "units of class {class} have other steps, chains, depths or cells"),
            Self::Space { class } => write!(f, "the space of class {class} is another one"),
            Self::Edits { class } => write!(f, "the space of class {class} was edited otherwise"),
        }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSave => f.write_str("expected the save of a crowd"),
            Self::OtherVersion { expected, found } => {
                write!(f, "expected a save of version {expected}, found version {found}")
            }
            Self::Cut { expected, found } => write!(f, "expected a save of {expected} bytes, found {found}"),
            Self::Damaged => f.write_str("the save is damaged: its checksum differs"),
            Self::OtherWorld(difference) => write!(f, "the save is of another crowd: {difference}"),
            Self::Garbled(garbled) => write!(f, "the save makes no sense: {garbled}"),
            Self::Lossy => f.write_str("costs in a space of the crowd cannot be written without loss"),
            Self::NoCopy => f.write_str("the classes of the crowd cannot be copied"),
        }
    }
}

impl std::error::Error for SaveError {}

impl From<Garbled> for SaveError {
    fn from(garbled: Garbled) -> Self {
        Self::Garbled(garbled)
    }
}

impl From<OtherWorld> for SaveError {
    fn from(difference: OtherWorld) -> Self {
        Self::OtherWorld(difference)
    }
}
