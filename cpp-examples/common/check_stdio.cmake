# Checks a program on stdio: feeds it INPUT, a file of messages, and looks for each line of EXPECTED in what it writes.
# Answers may come in any order. The program ends by itself when the messages end.

execute_process(
    COMMAND "${PROGRAM}" ${ARGUMENTS}
    INPUT_FILE "${INPUT}"
    OUTPUT_VARIABLE output
    RESULT_VARIABLE code
    TIMEOUT 60)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "the program ended with ${code}")
endif()

file(READ "${EXPECTED}" expected)
while(expected MATCHES "^([^\n]*)\n")
    set(line "${CMAKE_MATCH_1}")
    string(LENGTH "${line}\n" length)
    string(SUBSTRING "${expected}" ${length} -1 expected)
    string(FIND "${output}" "${line}" found)
    if(found EQUAL -1)
        message(FATAL_ERROR "not found:\n${line}\nin:\n${output}")
    endif()
endwhile()
