// Sets macros aside that platform headers define and that would rename members of ours. Every header of ours that
// declares such names includes this after its other includes, and `macros_pop.hpp` at its end. No include guard: each
// pair works on its own.

#pragma push_macro("GetObject")
#pragma push_macro("GetMessage")
#pragma push_macro("Error")
#pragma push_macro("Debug")
#pragma push_macro("Info")
#pragma push_macro("Notice")
#pragma push_macro("Warning")
#pragma push_macro("Critical")
#pragma push_macro("Alert")
#pragma push_macro("Emergency")
#pragma push_macro("Auto")
#pragma push_macro("Task")
#pragma push_macro("Off")
#pragma push_macro("Status")
#pragma push_macro("min")
#pragma push_macro("max")
#undef GetObject
#undef GetMessage
#undef Error
#undef Debug
#undef Info
#undef Notice
#undef Warning
#undef Critical
#undef Alert
#undef Emergency
#undef Auto
#undef Task
#undef Off
#undef Status
#undef min
#undef max
