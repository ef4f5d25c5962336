import ArgumentParser
import Foundation
import MessageModel
import MessageStorage
import MessageWindows

/// `scroll`: scrolls the messages of a store page by page, from the newest to the oldest and back.
///
/// A command of its own, because the peak of memory is that of a process.
struct ScrollAll: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scroll the messages of a store page by page, there and back, and print the peak of memory.")

  @Argument(help: "The store.")
  var path: String

  @Option(help: ArgumentHelp("The most pages to scroll each way; all if not given.", valueName: "count"))
  var pages = Int.max

  func run() throws {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    var window = MessageWindow(.everything)
    let start = ContinuousClock.now
    try window.perform(.jump(to: .newest), in: store)
    var scrolled = 1
    for command in [ListCommand.scroll(.older), .scroll(.newer)] {
      var left = pages
      while left > 0, command == .scroll(.older) ? !window.holdsOldestEdge : !window.holdsNewestEdge {
        try window.perform(command, in: store)
        (scrolled, left) = (scrolled + 1, left - 1)
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let total = window.header.total ?? 0
    print("\(total) messages, \(scrolled) pages, \(seconds) s, peak \(Memory.peak >> 10) KiB")
  }
}
