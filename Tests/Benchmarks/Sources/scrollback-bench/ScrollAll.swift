import ArgumentParser
import Foundation
import MessageModel
import MessageStorage
import MessageWindows

/// `scroll`: scrolls all messages of a store page by page, from the newest to the oldest and back.
///
/// A command of its own, because the peak of memory is that of a process.
struct ScrollAll: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scroll all messages of a store page by page, there and back, and print the peak of memory.")

  @Argument(help: "The store.")
  var path: String

  func run() throws {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    var window = MessageWindow(.everything)
    let start = ContinuousClock.now
    try window.perform(.jump(to: .newest), in: store)
    var pages = 1
    for command in [MessageWindow.Command.older, .newer] {
      while command == .older ? !window.holdsOldestEdge : !window.holdsNewestEdge {
        try window.perform(command, in: store)
        pages += 1
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let total = window.header.total ?? 0
    print("\(total) messages, \(pages) pages, \(seconds) s, peak \(Memory.peak >> 10) KiB")
  }
}
