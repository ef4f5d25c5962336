import MessageSourceTesting

/// A copy of a file that is damaged in one of the ways in which disks and people damage files, and the pages that are not
/// what they were.
package struct DamagedCopy {
  /// A way to damage a file.
  package enum Way: Int, CaseIterable {
    case bytes, moreBytes, runs, emptyPages, swappedPages, end, firstPage
  }

  package let way: Way
  package private(set) var bytes: [UInt8]
  package private(set) var pages: Set<Int> = []

  package static let pageSize = 4_096

  /// Damages a file; the seed says how.
  package init(of original: [UInt8], seed: UInt64) {
    let ways = Way.allCases
    way = ways[Int(seed % UInt64(ways.count))]
    bytes = original
    var dice = SeededGenerator(seed: seed)
    switch way {
    case .bytes: changeBytes(Int.random(in: 3...10, using: &dice), &dice)
    case .moreBytes: changeBytes(Int.random(in: 10...40, using: &dice), &dice)
    case .runs:
      for _ in 0..<Int.random(in: 1...5, using: &dice) {
        overwrite(Int.random(in: 10...9_000, using: &dice), &dice)
      }
    case .emptyPages:
      for _ in 0..<Int.random(in: 1...16, using: &dice) { empty(page(&dice)) }
    case .swappedPages:
      for _ in 0..<Int.random(in: 1...8, using: &dice) { swap(page(&dice), page(&dice)) }
    case .end: cut(at: Int.random(in: bytes.count / 3..<bytes.count, using: &dice))
    case .firstPage:
      empty(0)
      changeBytes(Int.random(in: 0...20, using: &dice), &dice)
    }
  }

  private func page(_ dice: inout SeededGenerator) -> Int {
    Int.random(in: 0..<bytes.count / Self.pageSize, using: &dice)
  }

  private mutating func changeBytes(_ count: Int, _ dice: inout SeededGenerator) {
    for _ in 0..<count {
      set(Int.random(in: 0..<bytes.count, using: &dice), UInt8.random(in: 0...255, using: &dice))
    }
  }

  private mutating func overwrite(_ count: Int, _ dice: inout SeededGenerator) {
    let start = Int.random(in: 0..<bytes.count, using: &dice)
    for place in start..<min(start + count, bytes.count) {
      set(place, UInt8.random(in: 0...255, using: &dice))
    }
  }

  private mutating func set(_ place: Int, _ byte: UInt8) {
    guard bytes[place] != byte else { return }
    bytes[place] = byte
    pages.insert(place / Self.pageSize)
  }

  private func range(of page: Int) -> Range<Int> { page * Self.pageSize..<(page + 1) * Self.pageSize }

  private mutating func empty(_ page: Int) { for place in range(of: page) { set(place, 0) } }

  private mutating func swap(_ one: Int, _ other: Int) {
    let (first, second) = (Array(bytes[range(of: one)]), Array(bytes[range(of: other)]))
    for (place, byte) in zip(range(of: one), second) { set(place, byte) }
    for (place, byte) in zip(range(of: other), first) { set(place, byte) }
  }

  private mutating func cut(at count: Int) {
    pages.formUnion(count / Self.pageSize..<bytes.count / Self.pageSize)
    bytes.removeLast(bytes.count - count)
  }
}
