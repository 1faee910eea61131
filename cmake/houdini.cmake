# The Houdini in $HFS, and its own TBB and OpenVDB for everything that the plugin is made of: a DSO
# must share both with the process that loads it. Not yet run against a real Houdini; see
# docs/houdini.md.
set(HFS "$ENV{HFS}" CACHE PATH "Where Houdini is installed, e.g. /opt/hfs20.5.550")
if(NOT HFS OR NOT EXISTS "${HFS}/toolkit/cmake")
  message(FATAL_ERROR "DASHPOT_HOUDINI needs Houdini's toolkit: source houdini_setup, or give "
    "-DHFS=/opt/hfs20.5.550. There is none in '${HFS}'.")
endif()
list(PREPEND CMAKE_PREFIX_PATH "${HFS}/toolkit/cmake")
# A minimum version in this call would not work; it is tested below.
find_package(Houdini REQUIRED)
if(Houdini_VERSION VERSION_LESS 19.5)
  message(FATAL_ERROR "Dashpot needs Houdini 19.5 or newer; ${HFS} is ${Houdini_VERSION}.")
endif()

# All that ends up in the DSO has the ABI of Houdini's standard library.
set(houdini_options "")
foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(value Houdini ${property})
  list(APPEND houdini_options ${value})
endforeach()
set(houdini_abi 1)
if("${houdini_options}" MATCHES "_GLIBCXX_USE_CXX11_ABI=([01])")
  set(houdini_abi ${CMAKE_MATCH_1})
endif()
add_compile_definitions(_GLIBCXX_USE_CXX11_ABI=${houdini_abi})

# Houdini's third-party libraries: one target since 20.5, one each in 20.0 and before, or files.
add_library(houdini_libraries INTERFACE)
target_include_directories(houdini_libraries SYSTEM INTERFACE "${HFS}/toolkit/include")
if(TARGET HoudiniThirdParty)
  target_link_libraries(houdini_libraries INTERFACE HoudiniThirdParty)
elseif(TARGET Houdini::Dep::tbb AND TARGET Houdini::Dep::openvdb_sesi)
  target_link_libraries(houdini_libraries INTERFACE Houdini::Dep::tbb Houdini::Dep::openvdb_sesi)
else()
  foreach(library tbb openvdb_sesi)
    find_library(HOUDINI_${library}_LIBRARY ${library} PATHS "${HFS}/dsolib" NO_DEFAULT_PATH REQUIRED)
    target_link_libraries(houdini_libraries INTERFACE ${HOUDINI_${library}_LIBRARY})
  endforeach()
endif()
add_library(TBB::tbb ALIAS houdini_libraries)
set(OPENVDB_INCLUDE_DIR "${HFS}/toolkit/include" CACHE PATH "" FORCE)
set(OPENVDB_LIBRARY houdini_libraries CACHE STRING "" FORCE)
set(IMATH_LIBRARY "" CACHE STRING "" FORCE)
message(STATUS "Houdini ${Houdini_VERSION}, C++ ABI ${houdini_abi}: ${HFS}")
