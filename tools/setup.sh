# Sourced by ./run and ./test: installs what is missing and configures the release build.

# Entries of package lists, one per line: package, or package=command; '#' starts a comment.
listed_packages() {
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"
}

# is_installed ENTRY: by its command, if it names one, else as a Debian package.
is_installed() {
  case $1 in
    *=*) command -v "${1#*=}" >/dev/null ;;
    *) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
  esac
}

# install_packages LIST...: nothing if all are there; without root it says what to type, and fails.
install_packages() {
  local entry missing=()
  if ! command -v dpkg >/dev/null; then
    echo "This is not a Debian system; these Debian packages are needed under whatever name they have here:" $(listed_packages "$@" | sed 's/=.*//') >&2
    return 0
  fi
  for entry in $(listed_packages "$@"); do
    is_installed "$entry" || missing+=("${entry%%=*}")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "Some packages are missing. Type this, then start again:" >&2
    echo "  sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# One build directory for both scripts, so that nothing is compiled twice.
build_directory=build/release

# build TARGET...: everything if no target is given.
build() {
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  # From nothing it is faster to compile each room as one file; a build that is there stays as it is.
  local unity=()
  [ -f $build_directory/CMakeCache.txt ] || unity=(-DDASHPOT_UNITY=ON)
  cmake --preset release "${unity[@]}" >/dev/null
  cmake --build --preset release "${targets[@]}"
}
