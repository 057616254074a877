// One value everywhere.
struct Info { value: vec4<TYPE> }
var<immediate> info: Info;
@fragment fn main() -> @location(0) vec4<TYPE> { return info.value; }
