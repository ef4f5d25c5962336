internal import Foundation
internal import MessageModel

extension StoreFile {
  /// Puts a store back that a `restore` of an earlier version had moved aside as it was ended.
  func putBackReplaced(doing: String) throws(StoreError) {
    let aside = path + ".replaced"
    guard stat(at: path) == nil, stat(at: aside)?.kind == S_IFREG else { return }
    // The file comes last: until it is there, nobody opens it without its log.
    for suffix in ["-wal", ""] where stat(at: aside + suffix) != nil {
      guard rename(aside + suffix, path + suffix) == 0 else {
        let reason = String(cString: strerror(errno))
        throw StoreError(
          .inputOutput, doing, cause: "an interrupted restore left it as '\(aside)': \(reason)",
          remedy: "rename '\(aside)' to '\(path)'")
      }
    }
    unlink(aside + "-shm")
  }
}
