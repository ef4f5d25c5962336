internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Writes the contents of exported attachments into a folder beside the export.
struct ExportedFiles {
  private let folder: String
  private let prefix: String
  /// Whether a browser opens them.
  private let isForBrowser: Bool
  /// The number of files that could not be written because they are damaged.
  private(set) var failedCount = 0
  private(set) var writtenCount = 0

  /// A warning if an import of the export would not find the files: it takes none from outside of its folder.
  let warning: String?

  /// Makes the folder.
  ///
  /// - Parameters:
  ///   - output: The file that is written; its attachments are named relative to its folder.
  ///   - isForBrowser: Whether a browser opens them: none gets a name by which something in it would run.
  init(folder: String, output: String?, isForBrowser: Bool, sparing files: StoreFiles) throws {
    try FolderMaking.make(folder, sparing: files)
    (self.folder, self.isForBrowser) = (folder, isForBrowser)
    prefix = Self.path(to: folder, from: output)
    warning = prefix.split(separator: "/").first == ".." ? Self.warning(folder, output) : nil
  }

  /// A sentence about what was written.
  var summary: String { "wrote \(NumberText.counted(writtenCount, "attachment"))" }

  private static func warning(_ folder: String, _ output: String?) -> String {
    let beside = RealPath.folder(of: output ?? "") + (folder.split(separator: "/").last ?? "attachments")
    return """
      an import will not take in the attachments: '\(folder)' is outside of the folder of \
      \(output.map { "'\($0)'" } ?? "the export"); put it beside that, --attachments '\(beside)'
      """
  }

  /// Writes what is attached to a message, and names it by where it lies now.
  mutating func write(_ record: inout ExportRecord, from store: SynchronousMessageStore) throws {
    record.hasFilesBeside = true
    for (index, file) in record.attachments.enumerated() where file.isStored {
      var named = file
      if isForBrowser { named.name = FileEnding.harmless(file.name) }
      do throws(StoreError) {
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
