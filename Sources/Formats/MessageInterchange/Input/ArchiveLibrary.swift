internal import CArchive

/// The library that archives are opened by.
package enum ArchiveLibrary {
  /// Its name and version; `nil` if it is not there.
  package static var version: String? {
    carchive_load()?.pointee.archive_version_string().map { String(cString: $0) }
  }
}
