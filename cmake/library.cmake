# libdashpot, for programs of others: find_package(dashpot) and the target dashpot::dashpot. Static, or shared with
# -DBUILD_SHARED_LIBS=ON. Our own programs link to the solver directly.
include(CMakePackageConfigHelpers)

set(sealed_object ${CMAKE_BINARY_DIR}/dashpot.o)
add_custom_command(OUTPUT ${sealed_object}
  COMMAND ${CMAKE_COMMAND} -DLINKER=${CMAKE_LINKER} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY}
          -DARCHIVE=$<TARGET_FILE:dashpot_solver> -DOBJECT=${sealed_object}
          -P ${PROJECT_SOURCE_DIR}/cmake/seal_object.cmake
  DEPENDS dashpot_solver ${PROJECT_SOURCE_DIR}/cmake/seal_object.cmake
  COMMENT "Sealing the solver for libdashpot" VERBATIM)
add_library(dashpot_library ${sealed_object})
set_target_properties(dashpot_library PROPERTIES
  OUTPUT_NAME dashpot EXPORT_NAME dashpot LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(dashpot_library INTERFACE cxx_std_17)
target_compile_definitions(dashpot_library INTERFACE ${DASHPOT_EIGEN_ALIGNMENT})
target_link_libraries(dashpot_library INTERFACE Eigen3::Eigen)
if(BUILD_SHARED_LIBS)
  target_link_libraries(dashpot_library
    PRIVATE TBB::tbb ${METIS_LIBRARY} ${OPENVDB_LIBRARY} ${IMATH_LIBRARY})
else()
  # dashpot-config.cmake makes targets of the libraries that bring none.
  foreach(library TBB::tbb dashpot::metis dashpot::openvdb dashpot::imath)
    target_link_libraries(dashpot_library INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:${library}>>)
  endforeach()
endif()
if(DASHPOT_SANITIZE)
  target_link_options(dashpot_library PUBLIC -fsanitize=${DASHPOT_SANITIZE})
endif()

set(package_directory lib/cmake/dashpot)
install(TARGETS dashpot_library EXPORT dashpot-targets
  ARCHIVE DESTINATION lib LIBRARY DESTINATION lib INCLUDES DESTINATION include)
install(EXPORT dashpot-targets NAMESPACE dashpot:: DESTINATION ${package_directory})
configure_package_config_file(cmake/dashpot-config.cmake.in ${CMAKE_BINARY_DIR}/dashpot-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/dashpot-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/dashpot-config.cmake ${CMAKE_BINARY_DIR}/dashpot-config-version.cmake
  DESTINATION ${package_directory})
install(CODE "set(SOLVER \"${PROJECT_SOURCE_DIR}/solver\")\nset(STAGING \"${CMAKE_BINARY_DIR}/include\")")
install(SCRIPT cmake/install_headers.cmake)
