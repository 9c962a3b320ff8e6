//! `Serialize` for dumps, in the schema of their JSON.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::schema::DumpJson;
use super::value::Value;
use crate::runtime::dump::diff::DumpDiff;
use crate::runtime::dump::dump::Dump;

impl Serialize for Dump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl Serialize for DumpJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_value(|value| value.serialize(serializer))
    }
}

impl Serialize for DumpDiff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().with_value(|value| value.serialize(serializer))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Value::Null => serializer.serialize_none(),
            Value::Number(number) => serializer.serialize_u64(number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Shown(text) => serializer.collect_str(text),
            Value::List(list) => {
                // Some formats write the length first.
                let mut count = 0;
                list(&mut |_| count += 1);
                let mut sequence = serializer.serialize_seq(Some(count))?;
                let mut result = Ok(());
                list(&mut |value| {
                    if result.is_ok() {
                        result = sequence.serialize_element(&value);
                    }
                });
                result?;
                sequence.end()
            }
            Value::Object(object) => {
                let mut count = 0;
                object(&mut |_, _| count += 1);
                let mut map = serializer.serialize_map(Some(count))?;
                let mut result = Ok(());
                object(&mut |key, value| {
                    if result.is_ok() {
                        result = map.serialize_entry(key, &value);
                    }
                });
                result?;
                map.end()
            }
        }
    }
}
