/// The size of a file's pages, by what they look like: the header that says it may be what is damaged.
struct PageSizeGuess {
  private(set) var size = 4_096

  /// So many pages are looked at, all over the file.
  private static let sampleCount = 64

  /// - Parameters:
  ///   - stated: What the header says.
  ///   - log: What the header of the log says.
  init(_ file: ReadFile, stated: Int?, ofLog log: Int?) {
    var best = 0
    // Of sizes that look equally good, the one that is said to be it.
    for candidate in ([stated, log].compactMap { $0 } + [4_096] + DatabaseHeader.pageSizes) {
      let score = Self.score(of: candidate, file)
      if score > best { (best, size) = (score, candidate) }
    }
    if best == 0, let said = stated ?? log { size = said }
  }

  /// Returns how many of a hundred pages of a size are pages of trees from their first byte to their last.
  private static func score(of size: Int, _ file: ReadFile) -> Int {
    let count = file.byteCount / size
    guard count > 0 else { return 0 }
    let samples = min(count, sampleCount)
    var sound = 0
    for index in 0..<samples {
      let number = index * (count - 1) / max(samples - 1, 1)
      guard let bytes = file.bytes(at: number * size, count: size), bytes.count == size,
        let page = TreePage(number: number + 1, bytes: bytes), page.isWellFilled
      else { continue }
      sound += 1
    }
    return sound * 100 / samples
  }
}
