internal import Foundation
internal import HistoryQueries
internal import MessageModel

struct SiteWordMerge {
  private static let pieceByteCount = 64 << 10

  private let runs: [RunReader]

  init(_ paths: [String]) throws { runs = try paths.map { try RunReader($0) } }

  func write(to site: SiteFolder) throws -> Int {
    var firsts: [[UInt8]] = []
    var bytes: [UInt8] = []
    func close() throws {
      guard !bytes.isEmpty else { return }
      bytes.append("}}")
      try site.put("search/\(firsts.count - 1)", bytes)
      bytes = []
    }
    try each { word, list in
      if bytes.count >= Self.pieceByteCount { try close() }
      if bytes.isEmpty {
        firsts.append(word)
        bytes.append("{\"words\":{")
      } else {
        bytes.append(",")
      }
      JSONText.write(String(decoding: word, as: UTF8.self), to: &bytes)
      bytes.append(":\"")
      bytes.append(SitePostings.text(of: list))
      bytes.append("\"")
    }
    try close()
    struct Directory: Encodable {
      let first: [String]
    }
    let directory = Directory(first: firsts.map { String(decoding: $0, as: UTF8.self) })
    try site.put("search/index", AnswerEncoder.bytes(of: directory))
    return firsts.count
  }

  private func each(_ body: ([UInt8], [UInt32]) throws -> Void) throws {
    var heap = RunHeap(runs.indices.filter { runs[$0].line != nil }) { a, b in
      guard let first = runs[a].line?.word, let second = runs[b].line?.word else { return false }
      return SiteWord.areInOrder(first, second) || first == second && a < b
    }
    while let first = heap.first, let word = runs[first].line?.word {
      var list: [UInt32] = []
      while let next = heap.first, let line = runs[next].line, line.word == word {
        // After an export was killed and continued, two runs may contain the same piece.
        let last = list.last
        list += line.list.drop { number in last.map { number <= $0 } ?? false }
        try runs[next].advance()
        heap.changeFirst(isOver: runs[next].line == nil)
      }
      try body(word, list)
    }
  }
}

private final class RunReader {
  private let handle: FileHandle
  private let path: String
  private var bytes: [UInt8] = []
  private var start = 0
  private(set) var line: (word: [UInt8], list: [UInt32])?

  private static let byteCount = 64 << 10

  init(_ path: String) throws {
    self.path = path
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw StoreError(
        .inputOutput, "cannot read '\(path)'", cause: "it no longer exists",
        remedy: "export into a new folder")
    }
    self.handle = handle
    try advance()
  }

  func advance() throws {
    while true {
      if let end = bytes[start...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        line = try Self.parsed(bytes[start..<end], path)
        return
      }
      bytes.removeFirst(start)
      start = 0
      guard let more = try handle.read(upToCount: Self.byteCount), !more.isEmpty else {
        line = nil
        return
      }
      bytes += more
    }
  }

  private static func parsed(_ line: ArraySlice<UInt8>, _ path: String) throws -> (
    word: [UInt8], list: [UInt32]
  ) {
    guard let tab = line.firstIndex(of: 0x09),
      let list = SitePostings.list(of: String(decoding: line[(tab + 1)...], as: UTF8.self))
    else {
      throw StoreError(
        .inputOutput, "cannot read '\(path)'", cause: "it was changed", remedy: "export into a new folder")
    }
    return (Array(line[..<tab]), list)
  }
}

private struct RunHeap {
  private var items: [Int]
  private let areInOrder: (Int, Int) -> Bool

  init(_ items: [Int], _ areInOrder: @escaping (Int, Int) -> Bool) {
    (self.items, self.areInOrder) = (items, areInOrder)
    for index in items.indices.reversed() { sink(index) }
  }

  var first: Int? { items.first }

  mutating func changeFirst(isOver: Bool) {
    if isOver {
      items.swapAt(0, items.count - 1)
      items.removeLast()
    }
    if !items.isEmpty { sink(0) }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while case let child = 2 * index + 1, child < items.count {
      let right = child + 1
      let least = right < items.count && areInOrder(items[right], items[child]) ? right : child
      guard areInOrder(items[least], items[index]) else { return }
      items.swapAt(least, index)
      index = least
    }
  }
}
