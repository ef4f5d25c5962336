internal import MessageInterchange
internal import MessagePictures
internal import MessageStorage

/// The versions that `--version` prints.
package struct Build: Sendable {
  /// Empty if unknown.
  package var commit = ""
  /// Names and versions of libraries that only the executable links.
  package var libraries: [String] = []

  var text: String {
    var parts = StoreLibraries.versions + [ArchiveLibrary.version].compactMap(\.self) + libraries
    if PictureSupport.maker != nil { parts.append("pictures") }
    let form = "store schema \(StoreLibraries.schemaVersion)"
    return ((commit.isEmpty ? [] : ["commit \(commit)"]) + [form, parts.joined(separator: " · ")])
      .joined(separator: "\n")
  }
}
