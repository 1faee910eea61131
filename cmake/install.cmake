# What cmake --install puts where: bin/dashpot, the library (library.cmake), share/dashpot, share/doc/dashpot. The
# folder can be moved as a whole. The Houdini package is sop_plugin's.
install(TARGETS dashpot RUNTIME DESTINATION bin)
# So that whatever ./run built can be installed.
add_dependencies(dashpot dashpot_library)

# bin/dashpot looks for share/dashpot/farm beside bin/, in the build folder as in an installation.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/dashpot)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/farm ${CMAKE_BINARY_DIR}/share/dashpot/farm SYMBOLIC)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/farm DESTINATION share/dashpot
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/dashpot)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/dashpot)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/dashpot
  FILES_MATCHING PATTERN "*.md" PATTERN develop EXCLUDE PATTERN images EXCLUDE)
