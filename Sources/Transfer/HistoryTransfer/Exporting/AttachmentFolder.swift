internal import Foundation
internal import MessageInterchange
package import MessageModel
package import MessageStorage

/// The folder beside an export that the contents of attachments are written into.
package struct AttachmentFolder {
  private let folder: String
  private let prefix: String
  /// Whether a browser opens the files: none gets a name then by which something in it would run.
  var isForBrowser = false
  /// The redaction that looks into files that are written; `nil` if there is none.
  var redaction: HistoryRedaction?
  /// The number of files that could not be written because they are damaged.
  private(set) var failedCount = 0
  private(set) var writtenCount = 0

  /// Makes the folder.
  ///
  /// - Parameter output: The file that is written, in whose folder files are named by where they lie; `nil` for the folder
  ///   that the process is in.
  /// - Throws: ``StoreError`` of kind `cannotCreate` if it cannot be made, or belongs to the store.
  package init(_ folder: String, for output: String?, sparing files: StoreFiles) throws(StoreError) {
    try files.makeFolder(folder)
    self.folder = folder
    prefix = Self.path(to: folder, from: output)
  }

  /// Whether an import of the export would not find the files: it takes none from outside of its folder.
  package var isOutside: Bool { prefix.split(separator: "/").first == ".." }

  /// Writes what is attached to a message, and names it by where it lies now.
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
