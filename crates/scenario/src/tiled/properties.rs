//! Properties that people give to tiles, layers and objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::element::{Element, Source};
use crate::file_error::FileError;

/// Custom properties by name, as text. The class of a tile or an object is among them, as `class` and as `type`. Clones
/// share them: files can have few properties of many layers or objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Properties(Arc<BTreeMap<String, String>>);

impl Properties {
    /// The properties of `element`.
    pub(super) fn of(element: &Element<'_>, source: &Source<'_>) -> Result<Self, FileError> {
        let mut all = BTreeMap::new();
        // Layers of JSON have a type that says what they are.
        let class = element
            .value("class")
            .or_else(|| element.value("type").filter(|_| matches!(element.name, "tile" | "object")));
        if let Some(class) = class.filter(|class| !class.is_empty()) {
            all.insert("class".to_owned(), class.to_owned());
            all.insert("type".to_owned(), class.to_owned());
        }
        for property in element.named("properties").flat_map(|list| list.named("property")) {
            let name = property.value("name").ok_or_else(|| property.without(source, "name"))?;
            // Long texts are inside.
            let inside = || property.text.as_ref().map(|(text, _)| &**text);
            let value = property.value("value").or_else(inside).unwrap_or_default();
            all.insert(name.to_owned(), value.to_owned());
        }
        Ok(Self(Arc::new(all)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether the property has this value. Numbers may be written in several ways.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.get(name).is_some_and(|found| {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            found == value || number(found).zip(number(value)).is_some_and(|(a, b)| a.to_bits() == b.to_bits())
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
