import Foundation

/// What is demanded of a store after a deed was disturbed.
struct Verdict {
  let arena: Arena
  let deed: TortureCommand
  let rehearsal: Rehearsal

  /// Looks at the store, has the deed done to its end, and looks again.
  ///
  /// - Parameters:
  ///   - isAcknowledged: Whether the deed said that it was done.
  ///   - output: What it has printed.
  func pass(isAcknowledged: Bool, output: some Sequence<UInt8>) throws {
    try arena.plantFault()
    var state = StoreState(messages: [], names: [])
    if !deed.startsUnsound || isAcknowledged {
      try arena.demandSound()
      state = try arena.state()
      try demand(state, isAcknowledged: isAcknowledged)
      try demandAcknowledged(state, count: output.count { $0 == 0x0A })
    }
    try demandProduct(isThere: isAcknowledged)
    try repeatDeed(state)
    try demandTidiness()
  }

  private func demand(_ state: StoreState, isAcknowledged: Bool) throws {
    if isAcknowledged {
      guard let difference = state.difference(from: rehearsal.end) else { return }
      throw Violation(demanded: "all that was acknowledged, once", found: difference)
    }
    if deed.isAtomic {
      if state == rehearsal.start || state == rehearsal.end { return }
      throw Violation(
        demanded: "all of '\(deed.name)' or nothing",
        found: state.difference(from: rehearsal.end) ?? state.difference(from: rehearsal.start)
          ?? "something else")
    }
    if let fault = faultOnTheWay(state) {
      throw Violation(demanded: "what was there, and each new message at most once", found: fault)
    }
  }

  /// Demands the lines that the deed has acknowledged one by one.
  private func demandAcknowledged(_ state: StoreState, count: Int) throws {
    for text in deed.acknowledged.prefix(count) {
      guard state.messages.contains(where: { $0.contains("\"\(text)\"") }) else {
        throw Violation(demanded: "'\(text)', whose id was printed", found: "it is not there")
      }
    }
  }

  /// Returns what is wrong with a state on the way from the start to the end.
  func faultOnTheWay(_ state: StoreState) -> String? {
    guard deed.takesFiles else { return state.fault(between: rehearsal.start, and: rehearsal.end) }
    return state.withoutAttachments.fault(
      between: rehearsal.start.withoutAttachments, and: rehearsal.end.withoutAttachments)
  }

  /// Demands that what the deed made beside the store is whole, if it is there.
  private func demandProduct(isThere: Bool) throws {
    guard let product = deed.product.map({ arena.diskFolder + "/" + $0 }) else { return }
    guard FileManager.default.fileExists(atPath: product) else {
      if isThere { throw Violation(demanded: "the file that was acknowledged", found: "no \(product)") }
      return
    }
    if product.hasSuffix(".db") {
      try arena.demandSound(product)
      if let difference = try arena.state(of: product).difference(from: rehearsal.end) {
        throw Violation(demanded: "a copy that is whole", found: difference)
      }
    } else {
      let lines = try Data(contentsOf: URL(fileURLWithPath: product)).split(separator: 0x0A).count
      guard lines == rehearsal.end.messages.count else {
        throw Violation(demanded: "a file that is whole", found: "\(lines) lines in \(product)")
      }
    }
  }

  /// Runs the deed again, and demands that it ends as if nothing had happened.
  private func repeatDeed(_ state: StoreState) throws {
    let isDone = state == rehearsal.end && isProductThere && !deed.startsUnsound
    switch deed.repetition {
    case .never: return
    case .untilDone: if isDone { return }
    case .always: break
    }
    let input = deed.rest.map { $0(arena, state) } ?? deed.input(arena)
    let again = try arena.run(deed.arguments(arena), input: input)
    guard again.status == 0 else {
      throw Violation(demanded: "that it can be done again", found: "\(again.ending)\n\(again.errors)")
    }
    try arena.demandSound()
    if let difference = try arena.state().difference(from: rehearsal.end) {
      throw Violation(demanded: "the same end as undisturbed", found: difference)
    }
    try demandProduct(isThere: true)
  }

  private var isProductThere: Bool {
    deed.product.map { FileManager.default.fileExists(atPath: "\(arena.diskFolder)/\($0)") } ?? true
  }

  /// Demands that nothing is left on the disk of what was begun, once the store was opened again to write.
  private func demandTidiness() throws {
    if FileManager.default.fileExists(atPath: arena.store) {
      try arena.run(["filters", "save", "afterwards", "--from", "alice"])
    }
    let strange = arena.names().filter { !isExpected($0) }.sorted()
    guard strange.isEmpty else {
      throw Violation(demanded: "nothing left of what was begun", found: strange.joined(separator: ", "))
    }
  }

  private func isExpected(_ name: String) -> Bool {
    if name.contains(".part-") || name.contains("incoming-") { return false }
    // A content that no message refers to is told by `check`, and goes with the next repair.
    if name.contains(".attachments") { return true }
    return rehearsal.names.contains(name) || name == "store.db"
  }
}
