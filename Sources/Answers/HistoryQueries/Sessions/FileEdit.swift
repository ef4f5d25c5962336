internal import Foundation

/// What one call of a tool changed in one file: its lines with signs, in stretches.
struct FileEdit {
  enum Sign: String {
    case kept = " "
    case added = "+"
    case removed = "-"
  }

  struct Line {
    var sign: Sign
    var text: String
  }

  /// As the call names it.
  let path: String
  private(set) var hunks: [[Line]]

  /// More than this many comparisons of lines take too long: then all lines differ.
  private static let mostComparisons = 1_000_000
  /// The letters and digits of a line that is recognised by itself, unlike `}` or `end`.
  private static let tellingCount = 6
  private static let mostShownLines = 12
  private static let longestShownLine = 200

  init(_ path: String, hunks: [[Line]]) {
    self.path = path
    self.hunks = hunks
  }

  /// Replaces old lines by new ones; without old ones it writes them.
  init(_ path: String, old: [String] = [], new: [String]) {
    self.init(path, hunks: [Self.lines(from: Self.nonEmpty(old), to: Self.nonEmpty(new))])
  }

  private static func nonEmpty(_ lines: [String]) -> [String] { lines == [""] ? [] : lines }

  private static func lines(from old: [String], to new: [String]) -> [Line] {
    guard !old.isEmpty, old.count.multipliedReportingOverflow(by: new.count).partialValue <= mostComparisons
    else {
      return old.map { Line(sign: .removed, text: $0) } + new.map { Line(sign: .added, text: $0) }
    }
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (place, newPlace) = (0, 0)
    while place < old.count || newPlace < new.count {
      if removed.contains(place) {
        lines.append(Line(sign: .removed, text: old[place]))
        place += 1
      } else if added.contains(newPlace) {
        lines.append(Line(sign: .added, text: new[newPlace]))
        newPlace += 1
      } else {
        lines.append(Line(sign: .kept, text: old[place]))
        (place, newPlace) = (place + 1, newPlace + 1)
      }
    }
    return lines
  }

  /// The change with the lines of a result that begin with signs, if the call itself contains none.
  func completed(by result: String) -> FileEdit {
    guard hunks.allSatisfy(\.isEmpty) else { return self }
    let lines = result.textLines.compactMap { line -> Line? in
      guard let sign = line.first.flatMap({ Sign(rawValue: String($0)) }) else { return nil }
      return Line(sign: sign, text: String(line.dropFirst()))
    }
    return FileEdit(path, hunks: lines.contains { $0.sign == .added } ? [lines] : [])
  }

  // MARK: Recognising lines

  /// Returns which of some neighbouring lines it wrote. Indentation does not matter. A short line such as `}`
  /// counts only beside a longer one.
  ///
  /// - Complexity: O(lines of the edit + lines that are equal).
  func written(of wanted: [String]) -> Set<Int> {
    let wanted = wanted.map(Self.trimmed)
    var places: [String: [Int]] = [:]
    for (place, line) in wanted.enumerated() where Self.isTelling(line) {
      places[line, default: []].append(place)
    }
    var written: Set<Int> = []
    for hunk in hunks {
      let lines = hunk.filter { $0.sign != .removed }.map { (text: Self.trimmed($0.text), sign: $0.sign) }
      for (index, line) in lines.enumerated() {
        for place in places[line.text] ?? [] where !written.contains(place) {
          take(step: 1, from: index, place)
          take(step: -1, from: index, place)
        }
      }
      func take(step: Int, from index: Int, _ place: Int) {
        var (index, place) = (index, place)
        while lines.indices.contains(index), wanted.indices.contains(place),
          lines[index].text == wanted[place]
        {
          if lines[index].sign == .added { written.insert(place) }
          (index, place) = (index + step, place + step)
        }
      }
    }
    return written
  }

  private static func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }

  private static func isTelling(_ line: String) -> Bool {
    line.unicodeScalars.lazy.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      .prefix(tellingCount).count == tellingCount
  }

  // MARK: Showing

  /// The first changed lines with their signs or, of some lines, those around the first of them.
  func shown(around lines: [String] = []) -> String? {
    let wanted = Set(lines.map(Self.trimmed).filter(Self.isTelling))
    for hunk in hunks {
      let change = hunk.firstIndex { $0.sign == .added && wanted.contains(Self.trimmed($0.text)) }
      if let change { return Self.shown(hunk[max(0, change - Self.mostShownLines / 2)...]) }
    }
    let changed = hunks.flatMap(\.self).filter { $0.sign != .kept }
    return changed.isEmpty ? nil : Self.shown(changed[...])
  }

  private static func shown(_ lines: ArraySlice<Line>) -> String {
    let shown = lines.prefix(mostShownLines).map { line in
      let isLong = line.text.count > longestShownLine
      return line.sign.rawValue + (isLong ? "\(line.text.prefix(longestShownLine))…" : line.text)
    }
    return (shown + (lines.count > shown.count ? ["…"] : [])).joined(separator: "\n")
  }
}

/// A path as a person or an agent names a file, to compare with those in calls.
struct WantedPath {
  private let components: [String]
  private let isAbsolute: Bool

  /// `nil` if it names no file.
  init?(_ path: String) {
    (components, isAbsolute) = Self.parts(of: path)
    if components.isEmpty { return nil }
  }

  /// The name of the file, without folders.
  var name: String { components[components.count - 1] }

  /// Whether a path means the same file. Of a relative path, folders above it may be missing on either side.
  ///
  /// - Parameter folder: The folder of the session, for relative paths; `nil` if unknown.
  func isMeant(by path: String, in folder: String?) -> Bool {
    var (called, isCalledAbsolute) = Self.parts(of: path)
    if !isCalledAbsolute, let folder {
      (called, isCalledAbsolute) = Self.parts(of: "\(folder)/\(path)")
    }
    switch (isAbsolute, isCalledAbsolute) {
    case (true, true): return called == components
    case (true, false): return !called.isEmpty && components.suffix(called.count) == called[...]
    case (false, true): return called.suffix(components.count) == components[...]
    case (false, false):
      let count = min(called.count, components.count)
      return count > 0 && called.suffix(count) == components.suffix(count)
    }
  }

  /// Names in lower case: some systems do not distinguish it.
  private static func parts(of path: String) -> (components: [String], isAbsolute: Bool) {
    let path = path.hasPrefix("file://") ? String(path.dropFirst("file://".count)) : path
    var parts: [String] = []
    for part in path.lowercased().split(whereSeparator: { $0 == "/" || $0 == "\\" }) {
      switch part {
      case ".", "~": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    let isOfDrive = path.dropFirst().first == ":" && path.first?.isLetter == true
    return (parts, path.hasPrefix("/") || path.hasPrefix("\\") || isOfDrive)
  }
}
