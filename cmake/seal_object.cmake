# Links ARCHIVE into one OBJECT and makes the inline functions in it, most of which are Eigen's, its own.
#
# Otherwise a program has one copy of each for itself and for the library, and the linker takes the first: the
# program's, compiled without AVX or without optimisation. The library would then be slower and give other bits, or
# the program would run AVX instructions where it asked for none. What types are (typeinfo, vtables) stays shared, so
# that exceptions are caught.
execute_process(COMMAND ${LINKER} -r --force-group-allocation --whole-archive ${ARCHIVE} -o ${OBJECT}.open
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} --defined-only ${OBJECT}.open OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
# Writes the names of the symbols of one of nm's letters to a file.
function(write_symbols letter path)
  string(REGEX MATCHALL " ${letter} [^\n]+" names "${symbols}")
  list(TRANSFORM names REPLACE "^ ${letter} " "")
  list(JOIN names "\n" text)
  file(WRITE ${path} "${text}\n")
endfunction()
write_symbols(W ${OBJECT}.functions)
# Variables in them stay shared: any copy will do.
write_symbols(u ${OBJECT}.variables)
execute_process(COMMAND ${OBJCOPY} --localize-symbols=${OBJECT}.functions --weaken-symbols=${OBJECT}.variables
  ${OBJECT}.open ${OBJECT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${OBJECT}.open ${OBJECT}.functions ${OBJECT}.variables)
