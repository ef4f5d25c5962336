import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// How far was read is on the disk when the program has ended.
@Suite(.serialized) struct ReadPositionTests {
  enum End: CaseIterable {
    case quit, endOfFile, terminated, hungUp
  }

  @Test(arguments: End.allCases)
  func `what was seen last is remembered, however one leaves`(end: End) throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.wait(for: "message 200")
    switch end {
    case .quit: try terminal.type("/quit\r")
    case .endOfFile: try terminal.type("\u{4}")
    case .terminated: terminal.signal(SIGTERM)
    case .hungUp: terminal.signal(SIGHUP)
    }
    _ = terminal.waitForExit()
    let store = try DatabaseQueue(path: fixture.store)
    let mark = try store.read {
      try String.fetchOne($0, sql: "SELECT text FROM conversation JOIN message ON message.id = read_up_to")
    }
    #expect(mark == "message 200")
  }
}
