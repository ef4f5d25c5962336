import Foundation
import HistoryTransfer
import MessagePictures
import ScrollbackKit
import Testing

@Suite struct AttachmentsAndPictures {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a file is attached, its content is read when it is wanted`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let file = folder.path("cup.txt")
    try Data("a cup".utf8).write(to: URL(filePath: file))
    // sample
    let message = NewMessage("My cup", from: "mira", files: [NewAttachment(file: file)])
    try await store.append([message], to: room)
    // end
    // sample
    let page = try await store.page(PageRequest(Selection(room, where: .has(.attachment)), fetchLimit: 20))
    for attachment in page.messages.flatMap(\.attachments) {
      print(attachment.name, attachment.byteCount ?? 0, attachment.pixelSize.map { "\($0)" } ?? "no picture")
    }
    // end
    let attachment = try #require(page.messages.first?.attachments.first)
    #expect(attachment.byteCount == 5)
    let downloads = folder.url
    // sample
    guard let sha256 = attachment.sha256 else { return }  // facts alone: the file was never there
    let bytes = try await store.read { try $0.content(sha256) }
    // Under a name that is safe and not taken.
    let saved = try await store.read { try $0.save(attachment, to: downloads) }
    // end
    #expect(bytes == Array("a cup".utf8))
    #expect(FileManager.default.fileExists(atPath: saved.path))
    try await giveContent(to: store)
    await store.close()
  }

  private func giveContent(to store: MessageStore) async throws {
    let export = folder.path("export.jsonl")
    let line = """
      {"conversation":"tea","time":"2024-05-01T12:00:00.000Z","kind":"text","text":"my cup",\
      "attachments":[{"name":"mug.txt","path":"mug.txt"}]}
      """
    try Data(line.utf8).write(to: URL(filePath: export))
    try await store.importHistory(at: [export])
    let fetched = folder.path("fetched.txt")
    try Data("fetched".utf8).write(to: URL(filePath: fetched))
    let page = try await store.page(PageRequest(.everything))
    let message = try #require(page.messages.first { $0.text == "my cup" }).id
    // sample
    try await store.write { try $0.setContent(.file(path: fetched), ofAttachment: 0, of: message) }
    // end
    let record = try #require(try await store.read { try $0.records(of: [message]) }.records.first)
    let sha256 = try #require(record.message.attachments.first?.sha256)
    #expect(try await store.read { try $0.content(sha256) } == Array("fetched".utf8))
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.setContent(.bytes([1]), ofAttachment: 0, of: message) }
    }
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.setContent(.bytes([1]), ofAttachment: 1, of: message) }
    }
    #expect(try await store.read { try $0.content(sha256) } == Array("fetched".utf8))
  }

  @Test func `pictures come when their rows do and go with them`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let picture = NewAttachment(Array("not a picture at all".utf8), name: "cup.jpg")
    try await store.append([NewMessage("My cup", from: "mira", files: [picture])], to: room)
    // sample
    if let maker = PictureSupport.maker { try await store.makePictures(by: maker) }
    // end
    let list = MessageList(Selection(room), in: store)
    await list.perform(.jump(to: .newest))
    let pictures = Pictures()
    let loading = Task {
      // sample
      for await change in list.payloads() {
        for message in change.visible + change.near {
          for sha256 in message.attachments.compactMap(\.sha256) {
            let picture = try await store.read { store in
              try store.picture(.thumbnail, of: sha256).map { try store.content($0.sha256) }
            }
            if let picture { await pictures.show(picture, at: message.id) }
          }
        }
        await pictures.forget(change.gone)
      }
      // end
    }
    await list.close()
    try await loading.value
    #expect(await pictures.shown.isEmpty)
    await store.close()
  }
}

/// Stands for what a view has decoded.
private actor Pictures {
  var shown: [Message.ID: [UInt8]] = [:]

  func show(_ bytes: [UInt8], at id: Message.ID) { shown[id] = bytes }

  func forget(_ ids: [Message.ID]) { for id in ids { shown[id] = nil } }
}
