import FlyingFox
import Foundation
import HistoryQueries
import ScrollbackKit

/// Serves a conversation to browsers: a view, pages of messages, and what changes, by a request that waits for it.
@main struct PageServer {
  let store: MessageStore
  let room: Conversation.ID

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { return print("usage: PageServer STORE CONVERSATION [PORT]") }
    let store = try await MessageStore(path: arguments[1])
    let name = arguments[2]
    let found = try await store.read { try $0.conversation(named: name) }
    guard let conversation = found else {
      return print("there is no such conversation in \(arguments[1])")
    }
    let port = arguments.count > 3 ? UInt16(arguments[3]) ?? 8080 : 8080
    let server = HTTPServer(address: .loopback(port: port), timeout: 60)
    await PageServer(store: store, room: conversation.id).addRoutes(to: server)
    print("http://localhost:\(port)")
    try await server.run()
  }

  func addRoutes(to server: HTTPServer) async {
    await server.appendRoute("GET /", to: .file(named: "view.html", in: .module))
    await server.appendRoute("GET /page") { request in try await answer { try await page(request) } }
    await server.appendRoute("GET /messages") { request in try await answer { try await messages(request) } }
    await server.appendRoute("GET /changes") { request in try await answer { try await changes(request) } }
    await server.appendRoute("POST /messages") { request in
      let posted = try JSONDecoder().decode([String: String].self, from: try await request.bodyData)
      let message = NewMessage(posted["text"] ?? "", from: posted["sender"])
      return try await answer { try await store.append([message], to: room).map(\.description) }
    }
  }

  /// `/page?before=ID`, `?after=ID`, `?around=ID`, `?ordinal=N`, or the newest.
  func page(_ request: HTTPRequest) async throws -> PageAnswer {
    // Before the page: what happens in between is told of as a change, and never left out.
    let version = try await store.read { try $0.version(of: .everything) }
    let page = try await store.page(PageRequest(Selection(room), anchor: anchor(request), fetchLimit: 50))
    return PageAnswer(
      messages: page.messages.map(MessageAnswer.init), hasOlder: page.hasOlder, hasNewer: page.hasNewer,
      firstOrdinal: page.counts?.firstOrdinal, total: page.counts?.total,
      version: version.description)
  }

  private func anchor(_ request: HTTPRequest) -> PageAnchor {
    if let id = request.query["before"].flatMap(Message.ID.init) { return .before(id) }
    if let id = request.query["after"].flatMap(Message.ID.init) { return .after(id) }
    if let id = request.query["around"].flatMap(Message.ID.init) { return .around(id) }
    return request.query["ordinal"].flatMap { Int($0) }.map { .ordinal($0) } ?? .newest
  }

  /// `/messages?ids=ID,ID`: what a view reads again when it was told that they have changed.
  func messages(_ request: HTTPRequest) async throws -> [MessageAnswer] {
    let ids = (request.query["ids"] ?? "").split(separator: ",").compactMap { Message.ID(String($0)) }
    return try await store.read { try $0.records(of: ids.prefix(100)) }.records.map {
      MessageAnswer($0.message)
    }
  }

  /// `/changes?since=TOKEN`: answers as soon as anything has happened in the room since that version, or after 25 s.
  func changes(_ request: HTTPRequest) async throws -> ChangesAnswer {
    let since = SourceVersion(request.query["since"] ?? "") ?? SourceVersion()
    let (store, room) = (store, room)
    return try await withThrowingTaskGroup(of: MessageChanges.self) { group in
      group.addTask {
        for await _ in store.changes() {
          let changes = try await store.read { try $0.changes(since: since, in: .some([room])) }
          if !changes.isEmpty { return changes }
        }
        return MessageChanges(to: since)
      }
      group.addTask {
        try await Task.sleep(for: .seconds(25))
        return MessageChanges(to: since)
      }
      defer { group.cancelAll() }
      return ChangesAnswer(try await group.next() ?? MessageChanges(to: since))
    }
  }

  private func answer(_ body: () async throws -> some Encodable) async throws -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"],
      body: try JSONEncoder().encode(try await body()))
  }
}
