// The page: a grid whose pictures load when they come into view, and a dialog that shows one of them.

/// The page of a gallery.
struct Page {
  var title: String
  var photos: [Photo]

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>\(Self.escaped(title))</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <h1>\(Self.escaped(title))</h1>
    <main>
    \(photos.map(Self.figure).joined(separator: "\n"))
    </main>
    <dialog aria-label="Photo"><form method="dialog"><button aria-label="Close">×</button></form>
    <button class="step" data-step="-1" aria-label="Previous">‹</button><img alt="">
    <button class="step" data-step="1" aria-label="Next">›</button><p></p></dialog>
    <script>\(Self.script)</script>
    </body>
    </html>

    """
  }

  private static func figure(_ photo: Photo) -> String {
    let sources = photo.versions.map { "\($0.fileName) \($0.width)w" }.joined(separator: ", ")
    let caption = escaped(photo.caption)
    return """
      <figure style="--ratio: \(photo.size.width) / \(photo.size.height); background-image: url(\(photo.placeholder))">
      <a href="\(photo.versions.last?.fileName ?? "")">
      <img loading="lazy" src="\(photo.versions.first?.fileName ?? "")" srcset="\(sources)"
      sizes="(max-width: 600px) 100vw, 25vw" width="\(photo.size.width)" height="\(photo.size.height)" alt="\(caption)"></a>
      <figcaption>\(caption)\(photo.date.map { " · \($0)" } ?? "")</figcaption>
      </figure>
      """
  }

  private static let style = """
    :root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1500px;
      padding: 1.5rem; background: light-dark(#fafafa, #16181b); color: light-dark(#222, #e6e6e6) }
    main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr)); gap: 1.2rem }
    figure { margin: 0; background-size: 100% auto; background-repeat: no-repeat; border-radius: 8px; overflow: hidden }
    figure img { display: block; width: 100%; height: auto; aspect-ratio: var(--ratio) }
    figcaption { padding: .4rem .6rem; font-size: .9rem; background: light-dark(#fff, #202327) }
    a:focus-visible { outline: 3px solid #2f7de1; outline-offset: -3px; display: block }
    dialog { border: 0; padding: 0; max-width: 96vw; max-height: 96vh; background: #111; color: #eee; text-align: center }
    dialog img { max-width: 96vw; max-height: 86vh; display: block } dialog::backdrop { background: #000c }
    dialog button { position: absolute; background: #0008; color: #fff; border: 0; font-size: 1.6rem; width: 2.6rem;
      height: 2.6rem; border-radius: 50%; top: 8px; right: 8px; cursor: pointer }
    dialog .step { top: 45%; right: 8px } dialog .step[data-step="-1"] { left: 8px; right: auto }
    """

  private static let script = """
    const links = [...document.querySelectorAll('figure a')], dialog = document.querySelector('dialog');
    const picture = dialog.querySelector('img'), text = dialog.querySelector('p');
    let current = 0;
    function show(index) {
      current = (index + links.length) % links.length;
      const figure = links[current].closest('figure');
      picture.src = links[current].href;
      picture.alt = text.textContent = figure.querySelector('figcaption').textContent;
      if (!dialog.open) dialog.showModal();
    }
    links.forEach((link, index) => link.addEventListener('click', event => { event.preventDefault(); show(index); }));
    dialog.querySelectorAll('.step').forEach(button =>
      button.addEventListener('click', () => show(current + Number(button.dataset.step))));
    dialog.addEventListener('keydown', event => {
      if (event.key === 'ArrowLeft') show(current - 1);
      if (event.key === 'ArrowRight') show(current + 1);
    });
    """

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
