/// Returns a shorter sequence of operations that still fails, from which no single operation can be removed.
///
/// It removes stretches, long ones first, as long as the rest fails.
///
/// - Complexity: Usually O(*n* log *n*) trials for *n* operations, O(*n*²) at worst.
public func shrunk<Operation>(
  _ operations: [Operation], stillFails: ([Operation]) async throws -> Bool
) async rethrows -> [Operation] {
  var shortest = operations
  var stretch = max(operations.count / 2, 1)
  while true {
    var start = 0
    var hasShrunk = false
    while start < shortest.count {
      var shorter = shortest
      shorter.removeSubrange(start..<min(start + stretch, shorter.count))
      if try await stillFails(shorter) {
        shortest = shorter
        hasShrunk = true
      } else {
        start += stretch
      }
    }
    if stretch == 1, !hasShrunk { return shortest }
    stretch = max(stretch / 2, 1)
  }
}
