/// Wraps a line.
///
/// It breaks at spaces, beside ideographs (not before closing punctuation) and, if a word is longer than a
/// row, within it. Spaces at a break are dropped.
package struct LineWrapper {
  private let line: String
  private let columns: Int
  private let limit: Int

  private var rows: [Range<String.Index>] = []
  private var rowStart: String.Index
  private var rowColumns = 0
  private var hasInk = false
  private var lastBreak: Break?

  private struct Break {
    var end: String.Index
    var next: String.Index
    var columns: Int
  }

  /// Returns the ranges of the rows, at least one and at most `limit`.
  ///
  /// - Complexity: O(bytes laid out): text beyond the limit is not visited.
  package static func rows(of line: String, columns: Int, limit: Int = .max) -> [Range<String.Index>] {
    let columns = max(2, columns)
    if line.utf8.count <= columns { return [line.startIndex..<line.endIndex] }
    var wrapper = LineWrapper(line: line, columns: columns, limit: limit)
    wrapper.run()
    return wrapper.rows
  }

  private init(line: String, columns: Int, limit: Int) {
    self.line = line
    self.columns = columns
    self.limit = limit
    rowStart = line.startIndex
  }

  private mutating func run() {
    var index = line.startIndex
    while index < line.endIndex {
      let next = line.index(after: index)
      let character = line[index]
      if character == " " {
        noteSpace(at: index, next: next)
      } else {
        place(character, at: index, next: next)
        if rows.count >= limit { return }
      }
      index = next
    }
    emit(upTo: trimmedEnd())
  }

  private mutating func noteSpace(at index: String.Index, next: String.Index) {
    rowColumns += 1
    guard hasInk else { return }
    let isRun = lastBreak?.next == index
    lastBreak = Break(end: isRun ? lastBreak?.end ?? index : index, next: next, columns: rowColumns)
  }

  private mutating func place(_ character: Character, at index: String.Index, next: String.Index) {
    let width = DisplayWidth.columns(of: character)
    let isWide = width == 2
    if isWide, hasInk, lastBreak?.next != index, !Self.closing.contains(character) {
      lastBreak = Break(end: index, next: index, columns: rowColumns)
    }
    if rowColumns + width > columns { breakRow(before: index) }
    if rowColumns + width > columns { breakRow(before: index) }
    rowColumns += width
    hasInk = true
    if isWide, next == line.endIndex || !Self.closing.contains(line[next]) {
      lastBreak = Break(end: next, next: next, columns: rowColumns)
    }
  }

  private mutating func breakRow(before index: String.Index) {
    if let found = lastBreak {
      emit(upTo: found.end)
      rowStart = found.next
      rowColumns -= found.columns
    } else if index > rowStart {
      emit(upTo: index)
      rowStart = index
      rowColumns = 0
    }
    lastBreak = nil
    hasInk = rowStart < index
  }

  private mutating func emit(upTo end: String.Index) {
    if rows.count < limit { rows.append(rowStart..<max(rowStart, end)) }
  }

  private func trimmedEnd() -> String.Index {
    var end = line.endIndex
    while end > rowStart, line[line.index(before: end)] == " " { end = line.index(before: end) }
    return end
  }

  private static let closing: Set<Character> = [
    "、", "。", "，", "．", "！", "？", "：", "；", "）", "」", "』", "】", "〉", "》", "〕", "］", "｝", "…", "ー",
  ]
}
