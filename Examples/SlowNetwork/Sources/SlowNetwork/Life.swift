import ScrollbackKit

/// One life of a client: it scrolls, sends and listens over a bad link until it is cut off, or until all is there.
struct Life {
  let path: String
  let server: SlowServer
  /// How many messages are local at first, and how many are sent in all.
  let (newest, sends): (Int, Int)

  /// - Parameter steps: After how many steps it is cut off, wherever it is; `nil` to live until all is there.
  func live(steps: Int?) async throws -> SlowClient {
    let client = try await begun()
    let list = client.list()
    await list.perform(.jump(to: .newest))
    var step = 0
    while step < steps ?? .max {
      let isAtStart = await list.current.holdsAll(.older)
      if step >= sends, isAtStart, try await client.isWhole { break }
      step += 1
      // In each life all are written: those that are there already are not written twice.
      if step <= sends { try await client.write("own \(step)", token: "own \(step)") }
      try? await client.flush()
      try? await client.receive()
      await list.retryEdges()
      await list.perform(
        step % 7 == 0
          ? .jump(to: .percent(Double(step % 100))) : step % 2 == 0 ? .jump(to: .oldest) : .scroll(.older))
      // The reader waits for what is being loaded, a second or two at most: one who is gone before it comes has no use for it.
      for _ in 0..<1_000 {
        guard case .loading = await list.current.edges.older else { break }
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    if steps == nil { try await client.receive() }
    return client
  }

  private func begun() async throws -> SlowClient {
    while true {
      do { return try await SlowClient(path: path, server: server, newest: newest) } catch is SlowServer
        .LinkDown
      {}
    }
  }
}
