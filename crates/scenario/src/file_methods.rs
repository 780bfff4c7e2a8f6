//! The methods that all kinds of files share: files are parsed, read and written.

/// Gives a type the methods `parse` and `read`, for files of a kind. A function parses the contents. With `write` the
/// type also gets the method `write`.
macro_rules! file_methods {
    ($(#[$doc:meta])* parse: $kind:expr, $parse:expr $(; $write:ident)?) => {
        $(#[$doc])*
        pub fn parse(
            contents: impl AsRef<[u8]>,
            file: impl AsRef<std::path::Path>,
        ) -> Result<Self, crate::file_error::FileError> {
            let (contents, file) = (contents.as_ref(), file.as_ref());
            $kind.explain($parse(contents, file), contents, file)
        }

        /// Reads and [parses](Self::parse) the file at `path`.
        ///
        /// # Errors
        /// As for `parse`, or the file cannot be read.
        pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, crate::file_error::FileError> {
            Self::parse(crate::file_error::read(path.as_ref())?, path)
        }

        $(
            /// Writes the contents of the file to `path`.
            ///
            /// # Errors
            /// The file cannot be written.
            pub fn $write(&self, path: impl AsRef<std::path::Path>) -> Result<(), crate::file_error::FileError> {
                crate::file_error::write(path.as_ref(), self)
            }
        )?
    };
}

pub(crate) use file_methods;
