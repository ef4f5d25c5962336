import Foundation
import HistoryModel
import MessageModel
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

/// Stores that are closed while others are at work in them.
@Suite struct ClosingTests {
  /// The errors that threads came upon.
  private final class Errors: Sendable {
    let kinds = Mutex<[StoreError.Kind]>([])
    func note(_ error: StoreError) { kinds.withLock { $0.append(error.kind) } }
  }

  @Test func `a store is closed under no read or write of any thread, and refuses those that come later`()
    throws
  {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<6_000 { batch.add(number % 3 == 0 ? "needle" : "hay", at: minute(number), in: "a") }
    try temporary.store.load([batch])
    let room = try #require(try temporary.store.conversation(named: "a")).id
    for round in 0..<(isLong ? 2_000 : 100) {
      let store = try temporary.another()
      // While somebody listens, what is no exact count is counted in the background.
      let listener = store.changes()
      let (begun, ended, errors) = (DispatchSemaphore(value: 0), DispatchGroup(), Errors())
      for reader in 0..<4 {
        ended.enter()
        Thread.detachNewThread {
          defer { ended.leave() }
          var isFirst = true
          do throws(StoreError) {
            while true {
              let selection = Selection(room, where: reader == 0 ? .regex("^needle") : .everything)
              _ = try store.page(PageRequest(selection, anchor: .percent(50), fetchLimit: 20))
              if reader == 1 { try store.append([NewMessage("more")], to: room) }
              if reader == 2 { _ = try store.snapshot().page(PageRequest(selection, fetchLimit: 5)) }
              if reader == 3 { _ = store.memory() }
              if isFirst { begun.signal() }
              isFirst = false
            }
          } catch {
            errors.note(error)
            if isFirst { begun.signal() }
          }
        }
      }
      for _ in 0..<(round % 5) { begun.wait() }
      store.close()
      ended.wait()
      #expect(errors.kinds.withLock { $0 } == Array(repeating: .invalidRequest, count: 4))
      withExtendedLifetime(listener) {}
    }
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `closing waits for what has begun, and may be asked for twice`() throws {
    let temporary = try TemporaryStore()
    let gate = StoreGate()
    let (inside, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Mutex<[String]>([])
    try gate.whileOpen {
      Thread.detachNewThread {
        inside.signal()
        gate.close { order.withLock { $0.append("closed") } }
        closed.signal()
      }
      inside.wait()
      while !gate.isClosed { usleep(100) }
      #expect(throws: StoreGate.IsClosed.self) { try gate.whileOpen {} }
      order.withLock { $0.append("left") }
    }
    closed.wait()
    gate.close { order.withLock { $0.append("closed again") } }
    #expect(order.withLock { $0 } == ["left", "closed"])
    temporary.store.close()
    temporary.store.close()
    #expect(throws: StoreError.self) { try temporary.store.conversations() }
  }
}
