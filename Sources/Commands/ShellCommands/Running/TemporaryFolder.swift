package import Foundation

extension FileManager {
  /// Makes a folder that only this user can read, with a name that no other one has.
  ///
  /// - Returns: Its path; `nil` if it could not be made, for the reason in `errno`.
  package func makeTemporaryFolder(named beginning: String) -> String? {
    var template = Array((NSTemporaryDirectory() + "/\(beginning)-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
