internal import Foundation

extension ReplContext {
  /// Returns names for completion, none if they cannot be read.
  public func names(_ wanted: Completion.Names) -> [String] {
    switch wanted {
    case .conversations: ((try? store.conversations()) ?? []).map(\.name)
    case .senders: ((try? store.senders()) ?? []).map(\.sender.name)
    case .marks: ((try? store.marks()) ?? []).map { "'" + $0.name }
    case .savedFilters: ((try? store.savedFilters()) ?? []).map(\.name)
    case .files(let beginning): Self.files(beginning)
    }
  }

  /// The files of a folder whose path begins so; folders end in a slash.
  private static func files(_ beginning: String) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : String(folder)))
    let showsHidden = beginning.dropFirst(folder.count).hasPrefix(".")
    return (names ?? []).filter { $0.hasPrefix(".") == showsHidden && !$0.contains(" ") }.map { name in
      var isFolder: ObjCBool = false
      let path = "\(folder)\(name)"
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return isFolder.boolValue ? path + "/" : path
    }
  }
}
