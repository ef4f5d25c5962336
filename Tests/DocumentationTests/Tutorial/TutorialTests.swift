// step main-1.swift
import Foundation
import ScrollbackKit
// end
import TestSupport
import Testing

/// The tutorial: what its steps write is run here, one after the other.
@Suite struct TutorialTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `what the steps write works`() async throws {
    // step main-1.swift

    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "general") }
    print(room.messageCount, "messages are here")
    // end
    // step main-2.swift

    let server = DemoServer()
    if room.messageCount == 0 {
      let newest = await server.messages(before: nil, limit: 50)
      try await store.write { store in
        try store.setGap(in: room.id)
        try store.fillGap(MessageGap(in: room.id), .newest, with: newest.map(\.message))
      }
    }
    print(try await store.read { try $0.gaps(of: room.id) }.count, "gaps")
    // end
    #expect(try await store.read { try $0.gaps(of: room.id) }.count == 1)
    // step main-3.swift

    let loader = EdgeLoader { request in
      guard let gap = request.gap else { return .endReached }
      let items = await server.messages(before: request.time, limit: 100)
      try await store.write { store in
        try store.fillGap(gap, items.count < 100 ? .all : .newest, with: items.map(\.message))
      }
      return .loaded
    }
    // end
    // step main-4.swift

    let list = MessageList(Selection(room.id), in: store, edgeLoader: loader)
    let newest = await list.perform(.jump(to: .newest))
    print(newest.messages.suffix(3).map(\.text))
    // end
    #expect(newest.messages.suffix(3).map(\.text) == ["message 998", "message 999", "message 1000"])
    // step main-5.swift

    for await snapshot in list.snapshots() {
      if snapshot.holdsAll(.older) { break }
      if case .loading = snapshot.edges.older { continue }
      list.send(.scroll(.older))
    }
    let oldest = await list.current
    print(oldest.messages.prefix(3).map(\.text), "of", oldest.header.total ?? 0)
    // end
    #expect(oldest.messages.prefix(3).map(\.text) == ["message 1", "message 2", "message 3"])
    #expect(oldest.header.total == 1_000)
    #expect(try await store.read { try $0.gaps(of: room.id) }.isEmpty)
    // step main-6.swift

    var rows = MessageRows()
    rows.update(with: oldest)
    for row in rows.prefix(8) {
      switch row {
      case .beginning: print("Here it begins")
      case .day(let day): print("—", day.date.year, day.date.month, day.date.day, "—")
      case .message(let message, let group):
        print(group.isFirst ? "\(message.sender?.name ?? "*"):" : "    ", message.text)
      default: print("…")
      }
    }
    // end
    #expect(rows.first == .beginning)
    // step main-7.swift

    let own = try await store.append(
      [
        NewMessage(
          "Hello", from: "me", source: .init(platform: "outbox", id: UUID().uuidString),
          sendingState: .waiting)
      ], to: room.id)[0]
    let answer = await server.post("Hello")
    try await store.write { store in
      try store.setSource(.init(platform: "acme", id: answer.id), of: own)
      let sent = try store.move(own, to: answer.time)
      try store.setSendingState(.sent, of: sent)
    }
    // end
    // step main-8.swift

    let mine = try await Selection(matching: "from:me hello", in: store)
    print(await list.perform(.select(mine)).messages.map(\.text))
    await list.close()
    await store.close()
    // end
  }

  @Test func `the files of the tutorial are these steps`() throws {
    let folder = GoldenFile.root.appending(path: "Sources/Kit/ScrollbackKit/ScrollbackKit.docc/Tutorial")
    let files = try Self.files
    #expect(files.count == 9)
    for (name, text) in files {
      let difference = try GoldenFile(folder.appending(path: name).path).difference(from: text)
      #expect(difference == nil)
    }
    let tutorial = try String(contentsOf: folder.appending(path: "Messenger.tutorial"), encoding: .utf8)
    for name in files.keys { #expect(tutorial.contains("file: \"\(name)\"")) }
  }

  /// What each step leaves of the file that it writes on: all that was written into it so far.
  private static var files: [String: String] {
    get throws {
      let here = URL(filePath: #filePath).deletingLastPathComponent()
      var (files, written): ([String: String], [Substring: String]) = ([:], [:])
      for source in ["ServerOfTutorial.swift", "TutorialTests.swift"] {
        let text = try String(contentsOf: here.appending(path: source), encoding: .utf8)
        for step in text.matches(of: /(?m)^( *)\/\/ step ((\w+)-\d+\.swift)\n((?s).*?)^ *\/\/ end\n/) {
          let indent = String(step.1)
          let lines = step.4.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(indent) ? line.dropFirst(indent.count) : line
          }
          // There the store lies beside the program.
          written[step.3, default: ""] += lines.joined(separator: "\n")
            .replacing(#"folder.path("chats.db")"#, with: #""chats.db""#)
          files[String(step.2)] = written[step.3]
        }
      }
      return files
    }
  }
}
