internal import Foundation
internal import MessageInterchange
package import MessageModel
package import MessageStorage

/// The folder beside an export for the contents of attachments.
package struct AttachmentFolder {
  private let folder: String
  private let prefix: String
  /// Whether a browser opens the files: then none gets an extension that a browser would run.
  var isForBrowser = false
  var redaction: HistoryRedaction?
  private(set) var failedCount = 0
  private(set) var writtenCount = 0

  /// Creates the folder; throws `cannotCreate` if that fails, or if it belongs to the store.
  ///
  /// - Parameter output: The exported file, to whose folder the paths of attachments are relative; `nil` for
  ///   the current folder.
  package init(_ folder: String, for output: String?, sparing files: StoreFiles) throws(StoreError) {
    try files.makeFolder(folder)
    self.folder = folder
    prefix = Self.path(to: folder, from: output)
  }

  /// Whether the folder lies outside the export's folder: an import would not read it.
  package var isOutside: Bool { prefix.split(separator: "/").first == ".." }

  mutating func write(_ record: inout ExportRecord, from store: SynchronousMessageStore) throws(StoreError) {
    record.hasFilesBeside = true
    for (index, file) in record.attachments.enumerated() where file.isStored {
      var named = file
      if isForBrowser { named.name = FileEnding.harmless(file.name) }
      do throws(StoreError) {
        if let redaction, !(try redaction.mayWrite(named, of: store, into: folder)) {
          (record.attachments[index].isStored, record.attachments[index].path) = (false, nil)
          continue
        }
        let name = try store.place(named, in: folder)
        record.attachments[index].path = prefix.isEmpty ? name : "\(prefix)/\(name)"
        writtenCount += 1
      } catch {
        guard error.kind == .damaged else { throw error }
        record.attachments[index].isStored = false
        failedCount += 1
      }
    }
  }

  private static func path(to folder: String, from output: String?) -> String {
    let base = RealPath.folder(of: output ?? "")
    let (target, start) = (absolute(folder), absolute(base.isEmpty ? "." : base))
    var shared = 0
    while shared < min(target.count, start.count), target[shared] == start[shared] { shared += 1 }
    return (start[shared...].map { _ in ".." } + target[shared...]).joined(separator: "/")
  }

  private static func absolute(_ path: String) -> [String] {
    guard let real = realpath(path, nil) else { return path.split(separator: "/").map(String.init) }
    defer { free(real) }
    return String(cString: real).split(separator: "/").map(String.init)
  }
}
