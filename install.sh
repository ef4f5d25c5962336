#!/bin/sh
# Installs Scrollback from a release archive, without a compiler and without being root.
#
#   sh install.sh scrollback-1.0.0-linux-x86_64.tar.xz     a file
#   sh install.sh https://…/scrollback-1.0.0-linux-x86_64.tar.xz
#   sh install.sh --remove                                 removes what it has installed; histories stay
#
# The archive is compared with SHA256SUMS, which lies beside it. It goes to ~/.local (PREFIX=… is another place): the program to
# lib/scrollback, and links to it to bin and share. What is there and was not installed by this script is never replaced.
set -eu

# absolute PATH: prints it from the root, without a slash at the end, whether it is there or not.
absolute() {
  if [ -d "$1" ]; then
    (CDPATH='' cd -- "$1" && pwd)
  else
    printf '%s/%s\n' "$(absolute "$(dirname -- "$1")")" "$(basename -- "$1")"
  fi
}

prefix=$(absolute "${PREFIX:-$HOME/.local}")
prefix=${prefix%/}
home=$prefix/lib/scrollback
list=$home/INSTALLED
work=

say() { printf '%s\n' "$*"; }

fail() {
  printf 'install.sh: %s\n  cause: %s\n  try: %s\n' "$1" "$2" "$3" >&2
  exit 1
}

usage() {
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit "$1"
}

clean() { [ -z "$work" ] || rm -rf "$work"; }
trap clean EXIT
trap 'exit 130' HUP INT TERM

# sum FILE: prints its SHA-256.
sum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# get URL FILE
get() {
  case $1 in
    https://* | file://*) ;;
    *) fail "cannot fetch '$1'" "only https is fetched" "a file, or an address that begins with https://" ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --proto '=https,file' -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "cannot fetch '$1'" "there is neither curl nor wget" "fetch it by other means, then: sh install.sh FILE"
  fi || fail "cannot fetch '$1'" "the server did not give it" "the address in a browser"
}

# owned LINK: whether a link was made by this script.
owned() {
  [ -L "$1" ] || return 1
  case $(readlink "$1" | sed 's,//*,/,g') in "$home"/*) return 0 ;; *) return 1 ;; esac
}

# taken PATH: whether something is there that this script has not made, be it a link that leads nowhere.
taken() { { [ -e "$1" ] || [ -L "$1" ]; } && ! owned "$1"; }

# links: prints a line for each link that belongs to what is installed: its place below the prefix, and where it leads.
links() {
  (cd "$home" && find bin share -type f 2>/dev/null) | while IFS= read -r file; do
    case $file in
      bin/* | share/man/* | share/bash-completion/* | share/zsh/* | share/fish/*) printf '%s\n' "$file" ;;
    esac
  done
}

remove() {
  [ -f "$list" ] || fail "there is nothing to remove in '$prefix'" "this script has installed nothing there" "PREFIX=FOLDER sh install.sh --remove"
  while IFS= read -r file; do
    ! owned "$prefix/$file" || rm -f "$prefix/$file"
  done <"$list"
  rm -rf "$home"
  say "removed Scrollback from $prefix"
  say "your histories stay in ${XDG_DATA_HOME:-$HOME/.local/share}/scrollback"
}

# machine NAME: fails unless an archive with this name is for this machine.
machine() {
  case $1 in
    *-linux-*.tar.*)
      [ "$(uname -s)" = Linux ] || fail "cannot install '$1'" "it is for Linux, and this is $(uname -s)" "build it: make install PREFIX=~/.local"
      ours=$(uname -m)
      case $ours in arm64) ours=aarch64 ;; esac
      case $1 in
        *-"$ours".tar.*) ;;
        *) fail "cannot install '$1'" "this computer is $ours" "the archive that has $ours in its name" ;;
      esac
      ;;
    *) fail "cannot install '$1'" "its name is not that of a release" "scrollback-VERSION-linux-$(uname -m).tar.xz" ;;
  esac
}

# check ARCHIVE SUMS NAME: compares an archive with its line in SHA256SUMS.
check() {
  wanted=$(awk -v name="$3" '$2 == name || $2 == "*" name { print $1; exit }' "$2")
  [ -n "$wanted" ] || fail "cannot check '$3'" "SHA256SUMS does not name it" "the SHA256SUMS of the same release"
  found=$(sum "$1")
  [ "$wanted" = "$found" ] || fail "'$3' is damaged or not the original" "its SHA-256 is $found, and SHA256SUMS has $wanted" "fetch it again"
  say "checked $3: its SHA-256 is that of SHA256SUMS"
}

install() {
  source=$1
  name=${source##*/}
  machine "$name"
  work=$(mktemp -d)
  case $source in
    *://*)
      get "$source" "$work/archive"
      get "${source%/*}/SHA256SUMS" "$work/SHA256SUMS"
      archive=$work/archive
      sums=$work/SHA256SUMS
      ;;
    *)
      [ -f "$source" ] || fail "cannot read '$source'" "there is no such file" "sh install.sh FILE"
      case $source in */*) folder=${source%/*} ;; *) folder=. ;; esac
      archive=$source
      sums=$folder/SHA256SUMS
      [ -f "$sums" ] || fail "cannot check '$name'" "there is no SHA256SUMS beside it" "take that file from the release, too"
      ;;
  esac
  check "$archive" "$sums" "$name"

  mkdir "$work/new"
  tar -xf "$archive" -C "$work/new" || fail "cannot unpack '$name'" "tar or xz failed" "install xz-utils"
  set -- "$work"/new/*
  [ $# -eq 1 ] && [ -x "$1/bin/scrollback" ] || fail "cannot install '$name'" "it is not an archive of Scrollback" "another release"
  "$1/bin/scrollback" --version >"$work/version" 2>"$work/errors" ||
    fail "Scrollback does not run here" "$(head -n 1 "$work/errors")" "a system with glibc 2.35 or later, or a build from the sources"

  (cd "$1" && find bin share -type f 2>/dev/null) >"$work/files"
  while IFS= read -r file; do
    case $file in bin/*) ;; *) continue ;; esac
    ! taken "$prefix/$file" ||
      fail "cannot install to '$prefix'" "'$prefix/$file' is there, and not from this script" "remove it, or PREFIX=FOLDER sh install.sh …"
  done <"$work/files"

  # The new one is whole before the old one goes.
  mkdir -p "$prefix/lib"
  rm -rf "$home.new"
  cp -R "$1" "$home.new"
  if [ -f "$list" ]; then
    while IFS= read -r file; do
      ! owned "$prefix/$file" || rm -f "$prefix/$file"
    done <"$list"
  elif [ -e "$home" ]; then
    rm -rf "$home.new"
    fail "cannot install to '$prefix'" "'$home' is there, and not from this script" "remove it, or PREFIX=FOLDER sh install.sh …"
  fi
  rm -rf "$home"
  mv "$home.new" "$home"
  links >"$list"
  while IFS= read -r file; do
    mkdir -p "$prefix/${file%/*}"
    if taken "$prefix/$file"; then
      say "left as it is: $prefix/$file"
    else
      ln -sf "$home/$file" "$prefix/$file"
    fi
  done <"$list"

  say "installed $(head -n 1 "$work/version") to $home"
  say "linked $(grep -c . "$list") files into $prefix/bin and $prefix/share"
  case :$PATH: in
    *:"$prefix/bin":*) say "start it: scrollback" ;;
    *) say "start it: $prefix/bin/scrollback   ($prefix/bin is not in PATH)" ;;
  esac
  say "remove it: sh install.sh --remove"
}

case ${1:-} in
  --remove) remove ;;
  --help | -h) usage 0 ;;
  '' | -*) usage 64 >&2 ;;
  *) install "$1" ;;
esac
