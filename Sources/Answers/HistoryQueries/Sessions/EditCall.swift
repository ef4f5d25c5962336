internal import Foundation

/// What a call of a tool changes in files.
///
/// Readers of histories write a call as the name of its tool and a line for each argument (`file_path: a.swift`).
/// An argument of several lines goes on in the next ones; lists and objects are JSON.
struct EditCall {
  let tool: String
  private(set) var edits: [FileEdit] = []

  private static let byteLimit = 1 << 20

  init(_ text: String) {
    let isLong = text.utf8.count > Self.byteLimit
    let lines = (isLong ? String(decoding: text.utf8.prefix(Self.byteLimit), as: UTF8.self) : text).textLines
    tool = lines.first ?? ""
    let given = EditArguments(lines.dropFirst())
    let patched = PatchText.edits(in: Self.unfolded(lines), of: given.path)
    edits = patched.isEmpty ? given.edits : patched
    // Some tools have the new text in their result alone.
    if edits.isEmpty, let path = given.path, Self.mayEdit(tool) { edits = [FileEdit(path, hunks: [])] }
  }

  private static func mayEdit(_ tool: String) -> Bool {
    let name = tool.lowercased()
    return ["edit", "write", "replace", "patch", "create"].contains(where: name.contains)
  }

  /// A command may be a JSON list of words, the last of which is the patch.
  private static func unfolded(_ lines: [String]) -> [String] {
    lines.flatMap { line -> [String] in
      guard line.contains("*** Begin Patch"), let start = line.firstIndex(of: "["),
        let words = try? JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
      else { return [line] }
      return words.flatMap(\.textLines)
    }
  }
}

/// The arguments by which tools edit: a path with a whole text, with an old and a new text, or with a list of these.
private struct EditArguments {
  private enum Key {
    case path, old, new, whole, list, later
  }

  private static let keys: [String: Key] = [
    "file_path": .path, "filePath": .path, "path": .path, "filepath": .path, "target_file": .path,
    "TargetFile": .path, "notebook_path": .path, "filename": .path, "file": .path,
    "relative_workspace_path": .path, "relativeWorkspacePath": .path, "absolute_path": .path,
    "old_string": .old, "old_str": .old, "oldString": .old, "oldText": .old, "old_text": .old, "oldStr": .old,
    "old": .old, "TargetContent": .old,
    "new_string": .new, "new_str": .new, "newString": .new, "newText": .new, "new_text": .new, "newStr": .new,
    "new": .new, "insert_text": .new, "new_source": .new, "ReplacementContent": .new, "code_edit": .new,
    "content": .whole, "contents": .whole, "file_text": .whole, "fileText": .whole, "code": .whole,
    "CodeContent": .whole,
    "edits": .list, "edit": .list, "ReplacementChunks": .list,
    "replace_all": .later, "replaceAll": .later, "expected_replacements": .later, "instruction": .later,
    "instructions": .later,
  ]

  private static let (mostListed, deepest) = (1_000, 8)

  private var values: [Key: [String]] = [:]

  var path: String? { values[.path]?.first.flatMap { $0.isEmpty ? nil : $0 } }

  init(_ lines: ArraySlice<String>) {
    var current: Key?
    // Behind a whole text that comes before its path, the last line that may be a path is it.
    var pathBehind: (place: Int, path: String)?
    for line in lines {
      let argument = Self.argument(line)
      if let (key, value) = argument, begins(key, after: current) {
        values[key] = [value]
        current = key
        continue
      }
      if current == .whole, values[.path] == nil, let (key, value) = argument, key == .path {
        pathBehind = (values[.whole]?.count ?? 0, value)
      }
      if let current { values[current]?.append(line) }
    }
    guard let pathBehind, let whole = values[.whole] else { return }
    values[.path] = [pathBehind.path]
    values[.whole] = Array(whole.prefix(pathBehind.place))
  }

  private static func argument(_ line: String) -> (key: Key, value: String)? {
    guard let colon = line.utf8.prefix(longestKey).firstIndex(of: UInt8(ascii: ":")),
      let key = keys[String(line[..<colon])]
    else { return nil }
    let value = line[line.index(after: colon)...]
    return (key, String(value.first == " " ? value.dropFirst() : value))
  }

  private static let longestKey = 32

  /// Whether a line that begins like an argument is one, and not a line of the text before it.
  private func begins(_ key: Key, after current: Key?) -> Bool {
    switch current {
    case .whole: false
    case .old, .new: key == .later || [.path, .old, .new].contains(key) && values[key] == nil
    case .path, .list, .later, nil: key == .later || values[key] == nil
    }
  }

  var edits: [FileEdit] {
    if let listed = values[.list] {
      let edits = Self.listed(listed.joined(separator: "\n"), path)
      if !edits.isEmpty { return edits }
    }
    guard let path, let new = values[.new] ?? values[.whole] else { return [] }
    return [FileEdit(path, old: values[.old] ?? [], new: new)]
  }

  private static func listed(_ json: String, _ path: String?) -> [FileEdit] {
    guard let value = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else { return [] }
    var edits: [FileEdit] = []
    add(value, path, depth: 0, to: &edits)
    return edits
  }

  private static func add(_ value: Any, _ path: String?, depth: Int, to edits: inout [FileEdit]) {
    guard depth < deepest, edits.count < mostListed else { return }
    if let list = value as? [Any] {
      for element in list { add(element, path, depth: depth + 1, to: &edits) }
    }
    guard let object = value as? [String: Any] else { return }
    var found: [Key: String] = [:]
    for (name, value) in object {
      if let key = keys[name], let text = value as? String { found[key] = text }
    }
    if let path = found[.path] ?? path, let new = found[.new] {
      edits.append(FileEdit(path, old: (found[.old] ?? "").textLines, new: new.textLines))
    } else {
      for key in object.keys.sorted() {
        add(object[key] as Any, found[.path] ?? path, depth: depth + 1, to: &edits)
      }
    }
  }
}

/// Patches: in the form of Codex (`*** Update File: a.swift`), as `diff -u` writes them, and as blocks of search and
/// replacement.
private enum PatchText {
  private static let fileMarks = ["*** Update File: ", "*** Add File: ", "*** Move to: "]
  private static let deletionMark = "*** Delete File: "
  private static let searchMarks = ["<<<<<<< SEARCH", "------- SEARCH"]
  private static let replaceMarks = [">>>>>>> REPLACE", "+++++++ REPLACE"]

  /// - Parameter path: The path beside the patch, where it names none.
  static func edits(in lines: [String], of path: String?) -> [FileEdit] {
    let marks = fileMarks + [deletionMark]
    if lines.contains(where: { line in marks.contains(where: line.hasPrefix) }) { return marked(lines) }
    if let path, lines.contains(where: { line in searchMarks.contains(where: line.hasSuffix) }) {
      return replaced(lines, path)
    }
    return unified(lines, path)
  }

  private static func marked(_ lines: [String]) -> [FileEdit] {
    var (edits, path, hunks) = ([FileEdit](), String?.none, [[FileEdit.Line]]())
    func end() {
      if let path, hunks.contains(where: { !$0.isEmpty }) { edits.append(FileEdit(path, hunks: hunks)) }
    }
    for line in lines {
      if let mark = fileMarks.first(where: line.hasPrefix) {
        // A file that is moved goes on under its new name.
        if mark != fileMarks[2] {
          end()
          hunks = []
        }
        path = String(line.dropFirst(mark.count))
      } else if line.hasPrefix("*** ") {
        end()
        (path, hunks) = (nil, [])
        if line.hasPrefix(deletionMark) {
          edits.append(FileEdit(String(line.dropFirst(deletionMark.count)), hunks: []))
        }
      } else if line.hasPrefix("@@") {
        hunks.append([])
      } else if path != nil, let changed = changed(line) {
        if hunks.isEmpty { hunks.append([]) }
        hunks[hunks.count - 1].append(changed)
      }
    }
    end()
    return edits
  }

  private static func changed(_ line: String) -> FileEdit.Line? {
    guard let first = line.first else { return FileEdit.Line(sign: .kept, text: "") }
    guard let sign = FileEdit.Sign(rawValue: String(first)) else { return nil }
    return FileEdit.Line(sign: sign, text: String(line.dropFirst()))
  }

  private static func replaced(_ lines: [String], _ path: String) -> [FileEdit] {
    var edits: [FileEdit] = []
    var (old, new) = ([String]?.none, [String]?.none)
    for line in lines {
      if searchMarks.contains(where: line.hasSuffix) {
        (old, new) = ([], nil)
      } else if line == "=======", old != nil, new == nil {
        new = []
      } else if let texts = new, replaceMarks.contains(line) {
        edits.append(FileEdit(path, old: withoutPlaces(old ?? []), new: texts))
        (old, new) = (nil, nil)
      } else if new != nil {
        new?.append(line)
      } else {
        old?.append(line)
      }
    }
    return edits
  }

  /// Roo Code writes `:start_line:10` and a rule before the old text.
  private static func withoutPlaces(_ old: [String]) -> [String] {
    guard old.first?.hasPrefix(":start_line:") == true, let rule = old.firstIndex(of: "-------") else {
      return old
    }
    return Array(old[(rule + 1)...])
  }

  private static func unified(_ lines: [String], _ beside: String?) -> [FileEdit] {
    var (edits, path, hunks) = ([FileEdit](), beside, [[FileEdit.Line]]())
    func end() {
      if let path, !hunks.isEmpty { edits.append(FileEdit(path, hunks: hunks)) }
      hunks = []
    }
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("--- "), lines.indices.contains(index + 1), lines[index + 1].hasPrefix("+++ ") {
        end()
      } else if line.hasPrefix("+++ "), index > 0, lines[index - 1].hasPrefix("--- ") {
        path = newName(line.dropFirst(4)) ?? beside
      } else if line.hasPrefix("@@ -") || line.hasSuffix("@@") && line.contains("@@ -") {
        hunks.append([])
      } else if !hunks.isEmpty, let changed = changed(line) {
        hunks[hunks.count - 1].append(changed)
      }
    }
    end()
    return edits
  }

  private static func newName(_ name: Substring) -> String? {
    let name = name.prefix { $0 != "\t" }
    if name == "/dev/null" || name.isEmpty { return nil }
    return String(name.hasPrefix("b/") ? name.dropFirst(2) : name)
  }
}

extension String {
  /// The lines, without their ends.
  var textLines: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
  }
}
