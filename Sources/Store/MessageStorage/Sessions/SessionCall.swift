internal import Foundation

/// A tool call as history readers write it: its name, and a line for each argument.
struct SessionCall {
  let name: String?
  /// The paths in it: the first argument that is one, and those of a patch.
  let files: [String]

  /// In bytes.
  private static let (longestName, longestPath) = (200, 1_024)
  private static let mostFiles = 64

  /// Arguments that are files for any tool.
  private static let fileKeys: [StaticString] = [
    "file_path: ", "filePath: ", "filepath: ", "file: ", "notebook_path: ", "target_file: ", "TargetFile: ",
    "filename: ", "relative_workspace_path: ", "relativeWorkspacePath: ", "absolute_path: ", "AbsolutePath: ",
  ]
  /// A file, unless the tool searches a folder.
  private static let pathKey: StaticString = "path: "
  private static let searches = ["grep", "glob", "search", "list", "find"]
  private static let patchMarks: [StaticString] = [
    "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ",
  ]

  /// Parses the beginning of a call in a message's row.
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
      // The keys begin with these letters.
      if "fntrapTA".utf8.contains(line[0]), let key = keys.first(where: { line.begins(with: $0) }) {
        return path(line[min(key.utf8CodeUnitCount, length)..<length])
      }
      start += length + 1
    }
    return nil
  }

  /// A patch may be text or JSON in a list of words.
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
