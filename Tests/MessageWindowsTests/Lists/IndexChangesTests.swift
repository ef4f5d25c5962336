import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

@Suite struct IndexChangesTests {
  @Test(arguments: 0..<UInt64(isLong ? 200 : 60)) func `changes by index turn what was held into what is`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let old = Self.random(using: &generator)
    let new = Self.changed(old, using: &generator)
    let changes = IndexChanges(from: old, to: new)
    #expect(changes.applied(to: old, takingFrom: new) == new, "seed \(seed)")
    for (index, message) in old.enumerated() {
      #expect(changes.indexAfter(index) == new.firstIndex { $0.id == message.id }, "seed \(seed)")
    }
    for (index, message) in new.enumerated() {
      #expect(changes.indexBefore(index) == old.firstIndex { $0.id == message.id }, "seed \(seed)")
    }
    #expect(
      changes.updatesBefore.joined().map { old[$0].id } == changes.updates.joined().map { new[$0].id },
      "seed \(seed)")
  }

  @Test(arguments: 0..<UInt64(isLong ? 2_000 : 200))
  func `views carry out moves, too, at once or step by step`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let old = Self.random(using: &generator)
    let new = Self.moved(Self.changed(old, using: &generator), using: &generator)
    let changes = IndexChanges(from: old, to: new)
    #expect(changes.batch.applied(to: old, takingFrom: new) == new, "seed \(seed)")
    #expect(changes.applied(stepByStepTo: old, takingFrom: new) == new, "seed \(seed)")
  }

  @Test func `a snapshot tells its change as a difference of the standard library, too`() async throws {
    let source = ReferenceSource(count: 30)
    let list = MessageList(Selection(conversation), in: SilentSource(base: source))
    let before = await list.perform(.jump(to: .newest)).messages
    source.delete([id(3), id(4), id(30)])
    source.edit(id(10), text: "ten")
    source.append("new")
    let snapshot = await list.perform(.sourceChanged)
    #expect(before.applying(snapshot.difference) == snapshot.messages)
    #expect(snapshot.changes.removals == [2..<4, 29..<30])
    #expect(snapshot.changes.updates == [7..<8] && snapshot.changes.updatesBefore == [9..<10])
    #expect(snapshot.changes.insertions == [27..<28])
  }

  @Test func `a message that was moved is one row that is gone here and has come there`() throws {
    var old = (0..<10).map { Message(id: id($0 * 10), conversation: conversation, text: "\($0)") }
    var new = old
    var moved = new.remove(at: 2)
    (moved.firstID, moved.id) = (moved.id, id(75))
    new.insert(moved, at: 7)
    var changes = IndexChanges(from: old, to: new)
    #expect(changes.removals == [2..<3] && changes.insertions == [7..<8])
    #expect(changes.moves == [IndexChanges.Move(from: 2, to: 7)])
    #expect(old[2].identity == new[7].identity)
    // It goes back to where it was.
    changes = IndexChanges(from: new, to: old)
    #expect(changes.moves == [IndexChanges.Move(from: 7, to: 2)])
    // One that was never seen elsewhere has come, and no more.
    old.remove(at: 2)
    #expect(IndexChanges(from: old, to: new).moves.isEmpty)
  }

  static func random(using generator: inout SeededGenerator) -> [Message] {
    (0..<40).filter { _ in Bool.random(using: &generator) }
      .map { Message(id: id(Int64($0)), conversation: conversation, text: "\($0)") }
  }

  /// Some are moved, a few to the end.
  static func moved(_ messages: [Message], using generator: inout SeededGenerator) -> [Message] {
    var free =
      Array(100..<160).map { id(Int64($0)) } + (0..<40).map { Message.ID(rawValue: id($0).rawValue - 1_000) }
    return messages.map { message in
      guard Int.random(in: 0..<3, using: &generator) == 0 else { return message }
      var moved = message
      moved.firstID = message.identity
      moved.id = free.remove(at: Int.random(in: free.indices, using: &generator))
      return moved
    }.sorted { $0.id < $1.id }
  }

  static func changed(_ messages: [Message], using generator: inout SeededGenerator) -> [Message] {
    var changed: [Message] = []
    for number in 0..<40 {
      let held = messages.first { $0.id == id(Int64(number)) }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: continue
      case 1:
        var message = held ?? Message(id: id(Int64(number)), conversation: conversation, text: "\(number)")
        message.revision += 1
        changed.append(message)
      default: if let held { changed.append(held) }
      }
    }
    return changed
  }
}

extension IndexChanges {
  /// Carries out the changes as a list view does: what is gone, from the end; what has come, from the start; the rest.
  func applied<Row>(to old: [Row], takingFrom new: some RandomAccessCollection<Row>) -> [Row] {
    var rows = old
    let row = { (index: Int) in new[new.index(new.startIndex, offsetBy: index)] }
    for range in removals.reversed() { rows.removeSubrange(range) }
    for range in insertions { rows.insert(contentsOf: range.map(row), at: range.lowerBound) }
    for index in updates.joined() { rows[index] = row(index) }
    return rows
  }
}

extension IndexChanges {
  /// Carries out ``steps`` in order, each at the indices of the moment.
  func applied<Row: Equatable>(stepByStepTo old: [Row], takingFrom new: some RandomAccessCollection<Row>)
    -> [Row]
  {
    var rows = old.map(Optional.some)
    let row = { (index: Int) in new[new.index(new.startIndex, offsetBy: index)] }
    for step in steps {
      switch step {
      case .remove(let range): rows.removeSubrange(range)
      case .move(let source, let target): rows.insert(rows.remove(at: source), at: target)
      case .insert(let range): rows.insert(contentsOf: range.map(row), at: range.lowerBound)
      case .reload(let range): for index in range { rows[index] = row(index) }
      }
    }
    return rows.compactMap(\.self)
  }
}

extension IndexChanges.Batch {
  /// Carries out the batch as a collection view does, and reloads rows afterwards; `[]` if it would refuse the batch.
  func applied<Row: Equatable>(to old: [Row], takingFrom new: some RandomAccessCollection<Row>) -> [Row] {
    let gone = deletes + moves.map(\.source)
    let come = inserts + moves.map(\.destination)
    guard Set(gone).count == gone.count, Set(come).count == come.count,
      old.count - gone.count + come.count == new.count
    else { return [] }
    let row = { (index: Int) in new[new.index(new.startIndex, offsetBy: index)] }
    var rows = [Row?](repeating: nil, count: new.count)
    for index in inserts { rows[index] = row(index) }
    for move in moves { rows[move.destination] = old[move.source] }
    var stay = old.indices.filter { !gone.contains($0) }.map { old[$0] }.makeIterator()
    for index in rows.indices where rows[index] == nil { rows[index] = stay.next() }
    for index in reloads { rows[index] = row(index) }
    return rows.compactMap(\.self)
  }
}
