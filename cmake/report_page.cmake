# The page of `dashpot report`: our sources, three.js and uPlot, bundled by esbuild into a C++ source.
# Packages come from npm while configuring, so that building needs no network. Without node, npm or
# the packages everything else is built all the same, and `dashpot report` says what is missing.

# dashpot_report_page(VARIABLE): sets VARIABLE to the source that defines page_template().
function(dashpot_report_page variable)
  set(source_directory ${PROJECT_SOURCE_DIR}/standalone/report/page)
  set(page_directory ${CMAKE_BINARY_DIR}/report_page)
  set(stand_in ${page_directory}/no_page.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/standalone/report/no_page.cpp.in ${stand_in} COPYONLY)
  set(${variable} ${stand_in} PARENT_SCOPE)

  find_program(NODE_PROGRAM node)
  find_program(NPM_PROGRAM npm)
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    message(WARNING "node or npm is missing: dashpot is built without its report page.")
    return()
  endif()
  configure_file(${source_directory}/package.json ${page_directory}/package.json COPYONLY)
  configure_file(${source_directory}/package-lock.json ${page_directory}/package-lock.json COPYONLY)
  file(SHA256 ${source_directory}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${page_directory}/installed.txt)
    file(READ ${page_directory}/installed.txt installed)
  endif()
  if(NOT installed STREQUAL wanted)
    execute_process(
      COMMAND ${NPM_PROGRAM} ci --no-audit --no-fund --loglevel=error
      WORKING_DIRECTORY ${page_directory}
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE reason)
    if(failed)
      message(WARNING "npm could not fetch the packages of the report page; dashpot is built "
        "without it. Configure again to retry. ${reason}")
      return()
    endif()
    file(WRITE ${page_directory}/installed.txt ${wanted})
  endif()

  file(GLOB page_sources CONFIGURE_DEPENDS ${source_directory}/*.mjs ${source_directory}/src/*)
  set(page ${page_directory}/page.cpp)
  add_custom_command(OUTPUT ${page} ${page_directory}/page.html
    COMMAND ${NODE_PROGRAM} ${source_directory}/build.mjs ${page_directory}
    DEPENDS ${page_sources} ${source_directory}/package-lock.json
    COMMENT "Bundling the report page" VERBATIM)
  set(${variable} ${page} PARENT_SCOPE)
endfunction()
