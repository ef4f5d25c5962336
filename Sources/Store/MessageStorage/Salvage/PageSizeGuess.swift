/// Guesses a file's page size from its pages, since the header may be damaged.
struct PageSizeGuess {
  private(set) var size = 4_096

  private static let sampleCount = 64

  init(_ file: ReadFile, stated: Int?, ofLog log: Int?) {
    var best = 0
    // Among equals the stated size wins.
    for candidate in ([stated, log].compactMap { $0 } + [4_096] + DatabaseHeader.pageSizes) {
      let score = Self.score(of: candidate, file)
      if score > best { (best, size) = (score, candidate) }
    }
    if best == 0, let said = stated ?? log { size = said }
  }

  /// The percentage of sampled pages that are well-filled B-tree pages.
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
