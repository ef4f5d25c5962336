internal import Foundation

/// A call of a tool as readers of histories write it: its name, and a line for each thing that it was given.
struct SessionCall {
  /// The name of the tool; `nil` if there is none.
  let name: String?
  /// The paths of the files that it names: that of the first argument which is one, and those of a patch.
  let files: [String]

  /// The longest name and path that are taken, in bytes.
  private static let (longestName, longestPath) = (200, 1_024)
  /// The most files of one call.
  private static let mostFiles = 64

  /// The arguments that are a file, whatever the tool.
  private static let fileKeys: [StaticString] = [
    "file_path: ", "filePath: ", "notebook_path: ", "target_file: ", "filename: ",
    "relative_workspace_path: ",
    "absolute_path: ",
  ]
  /// The argument that is a file unless the tool looks for something in a folder.
  private static let pathKey: StaticString = "path: "
  private static let searches = ["grep", "glob", "search", "list", "find"]
  /// The lines that name a file in a patch.
  private static let patchMarks: [StaticString] = [
    "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ",
  ]

  /// Reads the beginning of a call, as a row of a message has it.
  ///
  /// - Complexity: O(bytes).
  init(_ text: UnsafeRawBufferPointer) {
    let first = text.prefix { $0 != UInt8(ascii: "\n") }
    let name = String(decoding: first.prefix(Self.longestName), as: UTF8.self)
    self.name = name.isEmpty ? nil : name
    let rest = UnsafeRawBufferPointer(rebasing: text.dropFirst(first.count + 1))
    let patched = Self.patched(rest)
    files = patched.isEmpty ? Self.given(rest, to: name).map { [$0] } ?? [] : patched
  }

  private static func given(_ text: UnsafeRawBufferPointer, to tool: String) -> String? {
    let lowercased = tool.lowercased()
    let isSearch = lowercased == "ls" || searches.contains { lowercased.contains($0) }
    let keys = isSearch ? fileKeys : fileKeys + [pathKey]
    var start = 0
    while start < text.count {
      let line = UnsafeRawBufferPointer(rebasing: text[start...])
      let length = place(of: UInt8(ascii: "\n"), in: line) ?? line.count
      // Those of no other letter begin a key.
      if "fntrap".utf8.contains(line[0]), let key = keys.first(where: { line.begins(with: $0) }) {
        return path(line[min(key.utf8CodeUnitCount, length)..<length])
      }
      start += length + 1
    }
    return nil
  }

  /// Returns the files of a patch, which may stand as a text or, in a list of words, as JSON.
  private static func patched(_ text: UnsafeRawBufferPointer) -> [String] {
    var files: [String] = []
    var start = 0
    while files.count < mostFiles, start < text.count {
      let rest = UnsafeRawBufferPointer(rebasing: text[start...])
      guard let star = place(of: UInt8(ascii: "*"), in: rest) else { break }
      let here = UnsafeRawBufferPointer(rebasing: rest[star...])
      start += star + 1
      guard let mark = patchMarks.first(where: { here.begins(with: $0) }) else { continue }
      let value = here.dropFirst(mark.utf8CodeUnitCount).prefix {
        ![UInt8(ascii: "\n"), UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains($0)
      }
      if let file = path(value) { files.append(file) }
    }
    return files
  }

  /// Returns where a byte stands first.
  private static func place(of byte: UInt8, in text: UnsafeRawBufferPointer) -> Int? {
    guard let base = text.baseAddress, let found = memchr(base, Int32(byte), text.count) else { return nil }
    return base.distance(to: found)
  }

  private static func path(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
    guard bytes.count <= longestPath else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let path = text.drop { $0 == " " }
    return path.isEmpty ? nil : String(path)
  }
}
