internal import MessageInterchange
internal import MessagePictures
internal import MessageStorage

/// The parts that the program was built of, and those that it runs with.
package struct Build: Sendable {
  /// The commit; empty if it is not known.
  package var commit = ""
  /// The names and versions of libraries that only the program knows of.
  package var libraries: [String] = []

  /// The lines that follow the version.
  var text: String {
    var parts = StoreLibraries.versions + [ArchiveLibrary.version].compactMap(\.self) + libraries
    if PictureSupport.maker != nil { parts.append("pictures") }
    let form = "store schema \(StoreLibraries.schemaVersion)"
    return ((commit.isEmpty ? [] : ["commit \(commit)"]) + [form, parts.joined(separator: " · ")])
      .joined(separator: "\n")
  }
}
