-- What a page of the repository becomes in the book. The working folder is the repository's; the environment tells
--   BOOK_PAGE    the file that is turned into a page: tutorials/03_additive_attention/README.md
--   BOOK_ROW     the pages in reading order, one a line; BOOK_ASIDE: those that stand beside the row
--   BOOK_NEEDS   a file to which goes what the page leads to: "source FILE" and "picture FILE", one a line
-- The book has the folders of the repository, so a link stays as it is but for the end of its name.

local page = os.getenv("BOOK_PAGE")

-- ---- paths ----------------------------------------------------------------------------------------------------------

local function folder_of(path) return path:match("^(.*/)[^/]*$") or "" end

-- "tutorials/05_x/" and "../../nn/gru.hpp" -> "nn/gru.hpp"; nothing for what lies outside of the repository.
local function joined(folder, path)
  local parts = {}
  for part in (folder .. path):gmatch("[^/]+") do
    if part == ".." then
      if #parts == 0 then return nil end
      table.remove(parts)
    elseif part ~= "." then
      table.insert(parts, part)
    end
  end
  return table.concat(parts, "/")
end

-- The way from this page to the top of the book: "../../" for tutorials/05_x/README.md.
local to_top = folder_of(page):gsub("[^/]+/", "../")

-- Where a file of the repository stands in the book.
local function place_of(path)
  local place = path:gsub("README%.md$", "index.html"):gsub("%.md$", ".html")
  if place == path then place = path .. ".html" end
  return place
end

local function exists(path)
  local file = io.open(path)
  if not file then return false end
  local is_file = file:read(0) ~= nil or file:seek("end") == 0
  file:close()
  return is_file
end

local needs = io.open(os.getenv("BOOK_NEEDS"), "w")
local function need(kind, path) needs:write(kind, " ", path, "\n") end

-- The book's address of a file, `path` from the repository's top. Nothing if there is no such file.
local function address(path)
  if not path or not exists(path) then return nil end
  if not path:find("%.md$") then need("source", path) end
  return to_top .. place_of(path)
end

-- ---- contents, previous and next ------------------------------------------------------------------------------------

-- The first heading of a page.
local function title_of(path)
  for line in io.lines(path) do
    local title = line:match("^# (.*)")
    if title then return (title:gsub("`", "")) end
  end
  return path
end

local function entries(list)
  local all = {}
  for path in (os.getenv(list) or ""):gmatch("[^\n]+") do
    table.insert(all, {
      title = title_of(path),
      href = to_top .. place_of(path),
      current = path == page,
    })
  end
  return all
end

local function add_contents(meta)
  meta.top = to_top
  meta.row = entries("BOOK_ROW")
  meta.aside = entries("BOOK_ASIDE")
  for i, entry in ipairs(meta.row) do
    if entry.current then
      meta.previous = meta.row[i - 1]
      meta.next = meta.row[i + 1]
    end
  end
end

-- ---- the parts of a page --------------------------------------------------------------------------------------------

local function rewritten_link(link)
  local path, anchor = link.target:match("^([^#]*)(.*)$")
  if link.target:find("^%a[%a%d+.-]*:") or path == "" then return nil end  -- another site, or this page
  local there = address(joined(folder_of(page), path))
  if there then link.target = there .. anchor end
  return link
end

-- A picture leads to itself, so that it can be looked at in its own size.
local function picture(image)
  local path = joined(folder_of(page), image.src)
  if image.src:find("^%a+:") or not path then return nil end
  need("picture", path)
  return pandoc.Link({image}, image.src)
end

-- `nn/gru.hpp` in a sentence leads to that file.
local function named_file(code)
  if not code.text:find("^[%w_./-]+/[%w_.-]+%.%a+$") or code.text:find("%.md$") then return nil end
  local there = address(joined("", code.text))
  return there and pandoc.Link({code}, there)
end

-- The comments above a listing and a transcript say where they come from; here they become a line that is seen.
local function source_line(block)
  if block.format ~= "html" then return nil end
  local file = block.text:match("^<!%-%- listing: (.-) %-%->")
  local command = block.text:match("^<!%-%- run: (.-) %-%->")
  local there = file and address(joined("", file))
  if there then return pandoc.Div(pandoc.Plain({pandoc.Link(file, there)}), {class = "source"}) end
  if command then return pandoc.Div(pandoc.Plain({pandoc.Str(command)}), {class = "source"}) end
  return nil
end

-- A table that is too wide scrolls by itself and leaves the page where it is.
local function scrolling(table)
  return pandoc.Div({table}, {class = "wide"})
end

local function take_title(document)
  for i, block in ipairs(document.blocks) do
    if block.t == "Header" and block.level == 1 then
      document.meta.title = pandoc.MetaInlines(block.content)
      document.meta.pagetitle = pandoc.utils.stringify(block.content)
      document.blocks:remove(i)
      break
    end
  end
  add_contents(document.meta)
  needs:close()
  return document
end

return {
  {Link = rewritten_link},  -- before what follows makes links of its own
  {Image = picture, Code = named_file, RawBlock = source_line, Table = scrolling},
  {Pandoc = take_title},
}
