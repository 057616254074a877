//! Lists of plain old data in serialised form: their bytes, in one run.

use bytemuck::Pod;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

pub(crate) fn serialize<T: Pod, S: Serializer>(list: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    bytemuck::cast_slice::<T, u8>(list).serialize(serializer)
}

pub(crate) fn deserialize<'de, T: Pod, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let bytes = Vec::<u8>::deserialize(deserializer)?;
    if bytes.len() % size_of::<T>() != 0 {
        return Err(D::Error::custom("a list ends within an element"));
    }
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}
