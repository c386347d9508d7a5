# example_check(STORY): the test of an example is the script check.py in its folder, which gets the path of the program.

function(example_check story)
    if(NOT MCP_BUILD_TESTS)
        return()
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    example_test(${story} "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/check.py" $<TARGET_FILE:${story}>)
endfunction()
