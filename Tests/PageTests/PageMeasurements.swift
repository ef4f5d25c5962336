import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

/// What the page takes in a browser, measured: no times are promised here, they are printed.
///
/// `SCROLLBACK_BROWSER_STORE` names a store, whose largest conversation is looked at; some messages are written into it, and
/// deleted then. `SCROLLBACK_BROWSER_SERVER` may name another server than the one of this build, such as that of a release.
@Suite(
  .serialized, .inBrowser,
  .enabled(
    if: BrowserScope.measuredStore != nil && BrowserScope.isWanted, "needs SCROLLBACK_BROWSER_STORE=STORE")
)
struct PageMeasurements {
  private let browser: Browser
  private let server = Process()
  private let url: String

  init() throws {
    browser = try #require(BrowserScope.browser)
    let path =
      ProcessInfo.processInfo.environment["SCROLLBACK_BROWSER_SERVER"]
      ?? BuiltProduct.path(of: "scrollback")
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: path)
    server.arguments = ["serve-process", "--store", BrowserScope.measuredStore ?? ""]
    server.standardOutput = output
    try server.run()
    url = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  @Test func `what the page takes`() throws {
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    let store = try SynchronousMessageStore(
      path: BrowserScope.measuredStore ?? "", options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let all = try store.conversations()
    let largest = try #require(all.max { $0.messageCount < $1.messageCount })
    let name = largest.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let address = "\(url)#in:\(name)"
    print("\(largest.messageCount) messages in the conversation, \(Self.server)")
    try firstScreen(address)
    try browser.show(address)
    try browser.settle()
    try jumps()
    try frames()
    try appends(to: largest.id, in: store)
    try heap()
  }

  private static var server: String {
    ProcessInfo.processInfo.environment["SCROLLBACK_BROWSER_SERVER"].map { "served by \($0)" }
      ?? "served by this build"
  }

  /// Prints some times, or sizes.
  private func report(_ name: String, _ unit: String, _ values: [Double]) throws {
    let sorted = values.sorted()
    try #require(!sorted.isEmpty, "nothing was measured")
    func part(_ part: Double) -> String {
      String(format: "%.1f", sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))])
    }
    print(
      "\(name): p50 \(part(0.5)) \(unit), p95 \(part(0.95)), p99 \(part(0.99)), most \(part(1)) (\(sorted.count) times)"
    )
  }

  private func numbers(_ script: String, _ arguments: [Any] = []) throws -> [Double] {
    let found = try browser.driver.run(Self.tools + script, arguments) as? [Any] ?? []
    return found.compactMap { ($0 as? NSNumber)?.doubleValue }
  }

  /// `painted`: a promise of the time at which what is in the document now is on the screen; `random`: a number from 0 to 1, the
  /// same ones each time.
  private static let tools = """
    const painted = () => new Promise(done => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => done(performance.now())
      port2.postMessage(null)
    }))
    let seed = 7
    const random = () => (seed = seed * 16807 % 2147483647) / 2147483647

    """

  // MARK: What is measured

  /// From the first byte of the answer to the first messages on the screen.
  private func firstScreen(_ address: String) throws {
    let script = """
      new MutationObserver((_, observer) => {
        if (!document.querySelector('#rows .message')) return
        observer.disconnect()
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => window.firstScreen = performance.now()
          port2.postMessage(null)
        })
      }).observe(document, { childList: true, subtree: true })
      """
    let made = try browser.driver.chromium("Page.addScriptToEvaluateOnNewDocument", ["source": script])
    var times: [Double] = []
    for _ in 0..<20 {
      try browser.show(address)
      try browser.wait(for: "window.firstScreen")
      let time = "window.firstScreen - performance.getEntriesByType('navigation')[0].responseStart"
      times += try numbers("return [\(time)]")
    }
    try browser.driver.chromium(
      "Page.removeScriptToEvaluateOnNewDocument", ["identifier": made["identifier"] ?? ""])
    try report("first screen, after the first byte of the page", "ms", times)
  }

  /// From the press on the scroll bar, anywhere, to the messages of that place on the screen.
  private func jumps() throws {
    try browser.driver.run(
      """
      window.jumps = []
      document.getElementById('scrollbar').addEventListener('pointerdown', ({ timeStamp }) => {
        const look = () => state.bar.going ? requestAnimationFrame(look) : requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => jumps.push(performance.now() - timeStamp)
          port2.postMessage(null)
        })
        requestAnimationFrame(look)
      })
      """)
    let place: [NSNumber] = try browser.value(
      "(() => { const { left, top, width, height } = document.getElementById('scrollbar').getBoundingClientRect(); return [left + width / 2, top, height] })()"
    )
    var dice = SeededGenerator(seed: 3)
    for count in 1...100 {
      let y = place[1].intValue + Int.random(in: 30..<place[2].intValue - 30, using: &dice)
      try browser.drag(along: [(place[0].intValue, y)])
      try browser.wait(for: "jumps.length === \(count)")
    }
    try report("a jump by the scroll bar, from the press to the screen", "ms", try numbers("return jumps"))
  }

  /// While it is scrolled up and down for some seconds: the time between frames, of a screen of 60 a second, and the work in each.
  private func frames() throws {
    let found = try numbers(
      """
      const room = document.getElementById('list'), frames = [], works = [], { port1, port2 } = new MessageChannel()
      let start = 0, last = 0
      port1.onmessage = () => works.push(performance.now() - start)
      for (let frame = 0; frame < 1200; frame++) {
        start = await new Promise(done => requestAnimationFrame(time => {
          const now = performance.now()
          if (last) frames.push(time - last)
          last = time
          port2.postMessage(null)
          done(now)
        }))
        room.scrollBy(0, (frame % 400 < 300 ? -1 : 1) * 120)
      }
      return [frames.length, ...frames, ...works]
      """)
    let count = Int(found[0])
    try report("between frames while scrolling 120 pixels in each", "ms", Array(found[1...count]))
    try report("work in such a frame", "ms", Array(found[(count + 1)...]))
  }

  /// From an append's commit, by this process, to its text on the screen.
  private func appends(to conversation: Conversation.ID, in store: SynchronousMessageStore) throws {
    try browser.type("G")
    try browser.settle()
    try browser.driver.run(
      """
      window.arrivals = {}
      new MutationObserver(() => {
        const text = [...document.querySelectorAll('#rows .text')].at(-1).textContent
        if (!text.startsWith('measured ') || arrivals[text]) return
        arrivals[text] = -1
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => arrivals[text] = performance.timeOrigin + performance.now()
          port2.postMessage(null)
        })
      }).observe(document.getElementById('rows'), { childList: true })
      """)
    var (ids, times): ([Message.ID], [Double]) = ([], [])
    defer { _ = try? store.delete(ids) }
    for number in 0..<40 {
      let text = "measured \(number)"
      ids += try store.append([NewMessage(text, from: "eve")], to: conversation)
      let written = Date().timeIntervalSince1970 * 1_000
      try browser.wait(for: "arrivals['\(text)'] > 0")
      times += [try numbers("return [arrivals['\(text)']]")[0] - written]
    }
    try report("an append, from its commit to the screen", "ms", times)
  }

  /// What JavaScript holds after scrolling past a hundred thousand messages.
  private func heap() throws {
    func held() throws -> String {
      try browser.driver.chromium("HeapProfiler.collectGarbage")
      let heap = try browser.driver.chromium("Runtime.getHeapUsage")
      let nodes = try browser.driver.chromium("Memory.getDOMCounters")
      let bytes = (heap["usedSize"] as? NSNumber)?.doubleValue ?? .nan
      return String(format: "%.1f MB, %@ nodes", bytes / 1_048_576, "\(nodes["nodes"] ?? "?")")
    }
    let before = try held()
    let found = try numbers(
      """
      const room = document.getElementById('list'), first = state.list.first + state.list.rows.length, rows = []
      for (let still = 0; first - state.list.first < 100_000 && state.list.hasOlder && still < 6000; still++) {
        const at = state.list.first
        room.scrollBy(0, -2 * room.clientHeight)
        await new Promise(done => setTimeout(done, 4))
        if (state.list.first !== at) still = 0
        rows.push(state.list.rows.length)
      }
      return [first - state.list.first, Math.max(...rows)]
      """)
    print(
      "heap: \(before); after scrolling past \(Int(found[0])) messages: \(try held()); most rows: \(Int(found[1]))"
    )
  }
}
