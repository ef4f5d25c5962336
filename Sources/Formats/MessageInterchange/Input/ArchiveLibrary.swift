internal import CArchive

package enum ArchiveLibrary {
  /// libarchive's name and version, or `nil` if the library is not installed.
  package static var version: String? {
    carchive_load()?.pointee.archive_version_string().map { String(cString: $0) }
  }
}
